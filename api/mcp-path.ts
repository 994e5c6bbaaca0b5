/** Where the server speaks the Model Context Protocol (Streamable HTTP). */
export const MCP_PATH = '/mcp'
