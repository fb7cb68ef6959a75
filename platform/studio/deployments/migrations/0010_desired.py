from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("deployments", "0009_retraining")]

    operations = [migrations.RenameField(model_name="deployment", old_name="wanted", new_name="desired")]
