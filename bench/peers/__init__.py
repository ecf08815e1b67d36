"""What do I gain over what I use today: elections beside other ways to a tuned machine."""
