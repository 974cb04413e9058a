"""For language models: tasks and metrics for Inspect AI, prompts, labeled datasets, an MCP server."""
