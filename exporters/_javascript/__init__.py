"""What the targets for JavaScript share. ``built/`` is made from ``frontend/sdk/`` by the front end's build."""
