"""What people say to one another about an item while they label."""
