"""How a person says that an upload's tables are read, and in which order its batches stand."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("datasets", "0015_upload_touched")]

    operations = [
        migrations.AddField(model_name="upload", name="batch_marks", field=models.JSONField(default=list, blank=True)),
        migrations.AddField(model_name="upload", name="table_options", field=models.JSONField(default=dict, blank=True)),
    ]
