"""The full-screen app. Only its start is loaded without Textual; `terminal/app_start.py` opens it."""
