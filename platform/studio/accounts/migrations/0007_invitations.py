"""Invitations by link, and when a session was used last."""

import django.db.models.deletion
import django.utils.timezone
import studio.common.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_quotas"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="must_confirm_email",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='session',
            name='last_seen_at',
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', studio.common.models.IdField(editable=False, max_length=40, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('role', models.CharField(choices=[('owner', 'owner'), ('engineer', 'engineer'), ('labeller', 'labeller'), ('viewer', 'viewer'), ('annotator', 'annotator')], max_length=16)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('secret_sha256', models.CharField(max_length=64, unique=True)),
                ('expires_at', models.DateTimeField()),
                ('max_uses', models.PositiveIntegerField(default=1)),
                ('num_uses', models.PositiveIntegerField(default=0)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
            ],
            options={
                'indexes': [models.Index(fields=['workspace', 'id'], name='invitation_workspace')],
            },
        ),
    ]
