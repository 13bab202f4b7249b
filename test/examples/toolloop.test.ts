import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

it('a scripted model uses two servers and a toolkit of this process as one, the same every time', async () => {
  const { stdout, stderr } = await execa(process.execPath, ['--import', 'tsx', 'examples/toolloop.ts'], {
    cwd: root,
  })
  expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' })
})

const expected = `\
tools: calendar_today, fs_read_text_file, fs_write_file, fs_list_directory, everything_echo, everything_get-sum

user: How many pieces of fruit did we buy? Write it down.
→ fs_list_directory {"path":"."}
→ calendar_today {}
← [FILE] monday.txt | [FILE] tuesday.txt
← 2026-07-28
→ fs_read_text_file {"path":"monday.txt"}
→ fs_read_text_file {"path":"tuesday.txt"}
← 3 apples
← 4 pears
→ everything_sum {"a":3,"b":4}
← error: There is no tool everything_sum. Did you mean everything_get-sum? Nothing was done.
→ everything_get-sum {"a":3,"b":4}
← The sum of 3 and 4 is 7.
→ fs_write_file {"path":"total.txt","content":"The sum of 3 and 4 is 7."}
← Successfully wrote to total.txt
→ fs_read_text_file {"path":"total.txt"}
← The sum of 3 and 4 is 7.
assistant: It is written down: The sum of 3 and 4 is 7.`
