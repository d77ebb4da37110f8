/** Beside its question where there is room; below it, the page goes there by itself. */
export const answerClass = 'grid min-w-0 scroll-mt-4 gap-6 xl:scroll-mt-[100vh]'
