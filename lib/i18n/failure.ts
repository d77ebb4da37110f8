import type { Locale } from './locales'

type FailureWords = {
  title: string
  body: string
  bodyWithReference: string
  retry: string
  back: string
  copy: string
  copied: string
}

/** Apart from the dictionaries: error boundaries run in the browser, and this much is all they need. */
export const failureWords: Record<Locale, FailureWords> = {
  en: {
    title: 'Something went wrong on our side',
    body: 'You did nothing wrong, and trying again often helps. If it keeps happening, tell the people who run this portal.',
    bodyWithReference:
      'You did nothing wrong, and trying again often helps. If it keeps happening, send this number to the people who run this portal:',
    retry: 'Try again',
    back: 'Go to the front page',
    copy: 'Copy',
    copied: 'Copied',
  },
  'zh-Hans': {
    title: '我们这边出了点问题',
    body: '这不是您的错，重试往往就能解决。如果问题一再出现，请告诉此门户的管理人员。',
    bodyWithReference:
      '这不是您的错，重试往往就能解决。如果问题一再出现，请把这个编号告诉此门户的管理人员：',
    retry: '重试',
    back: '返回首页',
    copy: '复制',
    copied: '已复制',
  },
}
