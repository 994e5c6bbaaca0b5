// A file of its own in the build, loaded where a model is asked.
export { createAnthropic } from '@ai-sdk/anthropic'
export { createOpenAICompatible } from '@ai-sdk/openai-compatible'
export { APICallError, generateText, jsonSchema, NoObjectGeneratedError, Output } from 'ai'
