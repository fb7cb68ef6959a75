"""When the latest part of an upload came: those that nobody goes on with are let go."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("datasets", "0014_version_note")]

    operations = [
        migrations.AddField(
            model_name="upload",
            name="touched_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
    ]
