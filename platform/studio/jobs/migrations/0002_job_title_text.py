"""A job's title in both languages; older jobs keep the one they have."""

from django.db import migrations, models


def in_both_languages(apps, schema_editor):
    del schema_editor
    rows = apps.get_model('jobs', 'Job').objects
    for job_id, title in rows.values_list('id', 'old_title').iterator():
        rows.filter(id=job_id).update(title={'en': title, 'zh': title})


class Migration(migrations.Migration):

    dependencies = [
        ('jobs', '0001_initial'),
    ]

    operations = [
        migrations.RenameField('job', 'title', 'old_title'),
        migrations.AddField('job', 'title', models.JSONField(default=dict), preserve_default=False),
        migrations.RunPython(in_both_languages),
        migrations.RemoveField('job', 'old_title'),
    ]
