"""Alerts of a deployment: conditions that are judged every minute, and what is sent when one begins and ends."""
