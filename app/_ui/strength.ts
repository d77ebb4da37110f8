import { type Score, ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

/** A chunk of its own, a megabyte of words: fetched when somebody begins to type. */

const factory = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
})

export function scoreOf(password: string, own: string[]): Score {
  return factory.check(password, own).score
}
