"""Language models and agents: tasks, prompts, metrics, data sets, MCP tools."""
