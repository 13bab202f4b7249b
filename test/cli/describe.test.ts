import { describe, expect, it } from 'vitest'
import { json, troupe } from './harness.ts'

const weather = './test/fixtures/toolkits/weather.mjs'

describe('troupe describe', () => {
  it('shows how a toolkit is configured', async () => {
    const { out, err, exitCode } = await troupe(['describe', weather])
    const hint = `Configured, it lists what it has: troupe describe '${weather}={"apiKey": …}'\n`
    expect({ err, exitCode }).toEqual({ err: hint, exitCode: 0 })
    expect(out).toBe(`Config:
apiKey: string
  Of the weather service
units: 'metric' | 'imperial' = 'metric'
cities?: string[]
cache?: string
`)
  })

  it('shows all it has once it is configured, under its prefix', async () => {
    const { out, exitCode } = await troupe(['describe', `${weather}={"apiKey": "x", "prefix": "sky"}`])
    expect(exitCode).toBe(0)
    expect(out).toContain(`
Tools:
sky_forecast(city: string)
  What the weather will be
sky_settings()

Prompts:
sky_ask(city?: string)
  Asks for it

Resources:
weather://sky/stations  Stations
  Who reports
weather://sky/stations/{id}  Station
`)
  })

  it('is one JSON document with --json, whatever the toolkit prints', async () => {
    const { out } = await troupe(['describe', `${weather}={"apiKey": "x"}`, '--json'])
    expect(json(out)).toMatchObject({
      toolkit: weather,
      config: { type: 'object', required: ['apiKey'] },
      tools: [{ name: 'weather_forecast' }, { name: 'weather_settings' }],
      prompts: [{ name: 'weather_ask' }],
      resources: [{ uri: 'weather://weather/stations' }],
      resourceTemplates: [{ uriTemplate: 'weather://weather/stations/{id}' }],
    })
    expect(json((await troupe(['describe', weather, '--json'])).out)).not.toHaveProperty('tools')
  })

  it('knows what is built in', async () => {
    const shell = await troupe(['describe', 'Shell'])
    expect(shell.out).toContain('allow: string[]\n')
    const files = await troupe(['describe', 'FileSystem={"root": "test", "readOnly": true}'])
    expect(files.out).toContain('\nfs_read(path: string')
    expect(files.out).not.toContain('fs_write')
    expect((await troupe(['describe', 'FileSytem'])).err).toContain('not built in (did you mean FileSystem?)')
  })

  it('says so when there is nothing to configure', async () => {
    const { out } = await troupe(['describe', './test/fixtures/toolkits/clinging.mjs'])
    expect(out).toBe('Config:\nnothing to configure\n')
  })

  it.each([
    [['describe'], "missing required argument 'toolkit'\nUsage: troupe describe <toolkit>"],
    [['describe', weather, 'x'], 'troupe describe takes one argument; too much: x'],
    [['describe', './none.mjs'], 'describe ./none.mjs: cannot be loaded: there is no file '],
    [['describe', `${weather}={}`], `describe ${weather}: apiKey is missing; known are`],
    [['describe', `${weather}={apiKey:x}`], `describe ${weather}:1:2: is no valid JSON: invalid symbol`],
    [['describe', `${weather}={apiKey:x}`], `like this: describe 'NAME={"key": "value"}'`],
    [['describe', `${weather}=x`], 'describe takes a toolkit’s name'.replace('’', "'")],
  ])('%j is refused', async (argv, message) => {
    const { exitCode, out, err } = await troupe(argv)
    expect(err).toContain(message)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })
})
