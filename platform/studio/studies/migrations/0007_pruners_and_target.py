from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studies", "0006_several_objectives"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="target",
            field=models.FloatField(null=True),
        ),
        migrations.AlterField(
            model_name="study",
            name="pruner",
            field=models.CharField(max_length=64),
        ),
    ]
