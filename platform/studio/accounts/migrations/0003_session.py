"""A session says whose it is in a column of its own. Whoever is signed in stays so."""

import django.db.models.deletion
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session as Before
from django.db import migrations, models


def sessions_take(apps, schema_editor):
    before, session, user = (apps.get_model(*name.split(".")) for name in ("sessions.Session", "accounts.Session", "accounts.User"))
    people = set(user.objects.values_list("id", flat=True))
    rows = []
    for row in before.objects.iterator():
        person = Before(session_data=row.session_data).get_decoded().get(SESSION_KEY)
        if person in people:
            rows.append(
                session(session_key=row.session_key, session_data=row.session_data, expire_date=row.expire_date, user_id=person)
            )
    session.objects.bulk_create(rows, batch_size=100)
    before.objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_role_annotator"),
        ("sessions", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Session",
            fields=[
                ("session_key", models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key")),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "user",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.RunPython(sessions_take, migrations.RunPython.noop),
    ]
