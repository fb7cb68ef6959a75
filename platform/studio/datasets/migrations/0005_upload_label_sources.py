from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("datasets", "0004_counts")]

    operations = [
        migrations.AlterField(model_name="upload", name="labels", field=models.CharField(default="none", max_length=16))
    ]
