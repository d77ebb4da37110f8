export const columnClass = 'mx-auto w-full max-w-[78rem] px-5 sm:px-10'

// Hung from the top, not centred: a page that arrives in pieces must not move.
export const mainClass = 'pt-[clamp(2rem,11vh,8rem)] pb-12 outline-none'
