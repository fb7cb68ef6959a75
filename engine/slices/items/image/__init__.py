"""Pictures."""

from engine.slices.items.image.facts import Images

KIND = Images()
