"""Uploads say who sent them; those from before belong to the platform."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('datasets', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='upload',
            name='created_by',
            field=models.CharField(default='system', max_length=40),
            preserve_default=False,
        ),
    ]
