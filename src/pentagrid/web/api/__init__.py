"""The JSON API: requests, answers, and events over WebSocket."""
