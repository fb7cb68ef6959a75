"""API keys belong to a person, have a scope narrower than a role, and keep their row when they end.

A key that another key made belongs to whoever made that one, as far as the audit trail knows. What then has no owner who is a
member works no longer; it stays in the list, so that somebody sees it and makes a new one.
"""

from django.db import migrations, models
from django.utils import timezone


def owners_take(apps, schema_editor):
    key, row, user, membership = (
        apps.get_model("accounts", name) for name in ("ApiKey", "AuditRow", "User", "Membership")
    )
    for one in key.objects.filter(created_by=None):
        maker, seen = one.id, set()
        while maker not in seen:
            seen.add(maker)
            told = row.objects.filter(action="key.create", subject=maker, workspace=one.workspace_id).first()
            if told is None or told.actor_kind not in ("user", "key"):
                break
            if told.actor_kind == "user":
                owner = user.objects.filter(id=told.actor_id).first()
                key.objects.filter(id=one.id).update(created_by=owner)
                break
            known = key.objects.filter(id=told.actor_id, created_by__isnull=False).first()
            if known is not None:
                key.objects.filter(id=one.id).update(created_by=known.created_by_id)
                break
            maker = told.actor_id
    for one in key.objects.exclude(created_by=None):  # who comes back later gets no old keys back
        if not membership.objects.filter(workspace=one.workspace_id, user=one.created_by_id).exists():
            key.objects.filter(id=one.id).update(ended_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_audit_chain")]

    operations = [
        migrations.AddField("apikey", "is_predict_only", models.BooleanField(default=False)),
        migrations.AddField("apikey", "project", models.CharField(blank=True, default="", max_length=40)),
        migrations.AddField("apikey", "deployment", models.CharField(blank=True, default="", max_length=40)),
        migrations.AddField("apikey", "ended_at", models.DateTimeField(null=True)),
        migrations.AddField("apikey", "is_revoked", models.BooleanField(default=False)),
        migrations.AddField("apikey", "is_expiry_told", models.BooleanField(default=False)),
        migrations.RunPython(owners_take, migrations.RunPython.noop),
    ]
