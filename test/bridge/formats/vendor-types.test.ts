import type AnthropicClient from '@anthropic-ai/sdk'
import type { Content, ToolListUnion } from '@google/genai'
import type { AssistantModelMessage, ModelMessage, ToolSet, TypedToolCall } from 'ai'
import type OpenAI from 'openai'
import { describe, expectTypeOf, it } from 'vitest'
import type { FormatShapes } from '../../../src/index.ts'

type Tools<Name extends keyof FormatShapes> = FormatShapes[Name]['tools']
type Message<Name extends keyof FormatShapes> = FormatShapes[Name]['message']
type Answers<Name extends keyof FormatShapes> = FormatShapes[Name]['answer'][]

/** What the type checker says of these is their result. */
describe("the vendors' published types", () => {
  it('take our tools', () => {
    expectTypeOf<Tools<'openai-chat'>>().toExtend<OpenAI.ChatCompletionTool[]>()
    expectTypeOf<Tools<'openai-responses'>>().toExtend<OpenAI.Responses.Tool[]>()
    expectTypeOf<Tools<'anthropic'>>().toExtend<AnthropicClient.ToolUnion[]>()
    expectTypeOf<Tools<'gemini'>>().toExtend<ToolListUnion>()
    expectTypeOf<Tools<'ai-sdk'>>().toExtend<ToolSet>()
  })

  it('take our results as messages of a conversation', () => {
    expectTypeOf<Answers<'openai-chat'>>().toExtend<OpenAI.ChatCompletionMessageParam[]>()
    expectTypeOf<Answers<'openai-responses'>>().toExtend<OpenAI.Responses.ResponseInput>()
    expectTypeOf<Answers<'anthropic'>>().toExtend<AnthropicClient.MessageParam[]>()
    expectTypeOf<Answers<'gemini'>>().toExtend<Content[]>()
    expectTypeOf<Answers<'ai-sdk'>>().toExtend<ModelMessage[]>()
  })

  it('are what we read calls from', () => {
    expectTypeOf<OpenAI.ChatCompletionMessage>().toExtend<Message<'openai-chat'>>()
    expectTypeOf<OpenAI.Responses.Response>().toExtend<Message<'openai-responses'>>()
    expectTypeOf<AnthropicClient.Message>().toExtend<Message<'anthropic'>>()
    expectTypeOf<Content>().toExtend<Message<'gemini'>>()
    expectTypeOf<AssistantModelMessage>().toExtend<Message<'ai-sdk'>>()
    expectTypeOf<{ content: TypedToolCall<ToolSet>[] }>().toExtend<Message<'ai-sdk'>>()
  })
})
