export const columnClass = 'mx-auto w-full max-w-[78rem] px-5 sm:px-10'
export const wideColumnClass = 'mx-auto w-full max-w-[92rem] px-5 sm:px-10'

// Hung from the top, not centred: a page that arrives in pieces must not move.
export const mainClass = 'pt-[clamp(2rem,11vh,8rem)] pb-12 outline-none'

export const skipLinkClass =
  'sr-only focus:not-sr-only focus:absolute focus:start-4 focus:top-4 focus:z-10 focus:rounded-control focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent'
