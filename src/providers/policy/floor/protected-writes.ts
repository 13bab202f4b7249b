import { type Answer, some } from '../../../answer.ts'
import { type EffectiveCommand, isReadable, type Word } from '../commands/effective-command.ts'
import { globOf, mayMean } from './glob.ts'
import { absolute, isWithin, placeOf, textOf } from './place.ts'
import { writtenPlaces } from './written-places.ts'

/** A write to the agent's own configuration directory. A relative path that names it is unsure. */
export function writesConfiguration(
  command: EffectiveCommand,
  { home, configDir }: { readonly home: string; readonly configDir: string },
): Answer {
  const directory = absolute(configDir.replace(/^~(?=\/|$)/, () => home))
  const name = directory.at(-1) ?? ''
  return some(
    writtenPlaces(command).map((word) => {
      const place = placeOf(word, home)
      if (place) return isWithin(place, directory) ? 'yes' : 'no'
      const [root, ...segments] = globOf(word, home) ?? []
      const mayBeWithin = root === '' && directory.every((it, index) => mayMean(segments[index] ?? '', it))
      return mayBeWithin || textOf(word).toLowerCase().includes(name) ? 'unknown' : 'no'
    }),
  )
}

const startUpFiles =
  'bashrc bash_profile bash_login bash_logout bash_aliases profile zshrc zshenv zprofile zlogin zlogout kshrc mkshrc cshrc tcshrc login config.fish'.split(
    ' ',
  )

/** A write to a file that every later shell or git command runs. */
export function writesStartUp(command: EffectiveCommand): Answer {
  const isUnreadable = command.writes.some((word) => !isReadable(word))
  const places = writtenPlaces(command).map((word): Answer => (isStartUp(word) ? 'yes' : 'no'))
  return some(isUnreadable ? [...places, 'unknown'] : places)
}

function isStartUp(word: Word): boolean {
  const text = textOf(word)
    .replace(/["']|(?<!\/)\/+$/g, '')
    .toLowerCase()
  const file = text.slice(text.lastIndexOf('/') + 1)
  const glob = globOf(word, '~') ?? []
  return (
    startUpFiles.includes(file.replace(/^\./, '')) ||
    /(?:^|\/)\.git(?:\/|$)/.test(text) ||
    /^\/etc\/(?:profile\.d|bash\.bashrc|zsh)/.test(text) ||
    glob.some((segment) => mayMean(segment, '.git')) ||
    startUpFiles.some((name) => mayMean(glob.at(-1) ?? '', `.${name}`))
  )
}
