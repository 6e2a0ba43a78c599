"""What any trick-taking game shares; knows no game and no learning library."""
