from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('deployments', '0007_alerts'),
    ]

    operations = [
        migrations.AddField(
            model_name='predictionlog',
            name='facts',
            field=models.JSONField(null=True),
        ),
        migrations.AddIndex(
            model_name='predictionlog',
            index=models.Index(condition=models.Q(('facts__isnull', False)), fields=['deployment', 'id'], name='prediction_facts'),
        ),
    ]
