'use client'

export { PageFailure as default } from './_ui/page-failure'
