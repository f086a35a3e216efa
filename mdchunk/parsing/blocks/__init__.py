"""What of markdown-it's block phase is done anew, in fewer steps and with the same tokens."""
