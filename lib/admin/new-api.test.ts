import { describe, expect, test } from 'vitest'
import { itemsIn } from './new-api'

function form(items: string): FormData {
  const filled = new FormData()
  filled.set('items', items)
  return filled
}

describe('the permissions of a new API', () => {
  test('one per line, with its sentence', () => {
    expect(itemsIn(form('orders:read  See your orders\r\n\r\norders:write'), 'orders')).toEqual([
      { key: 'orders:read', descriptions: { en: 'See your orders' } },
      { key: 'orders:write', descriptions: {} },
    ])
  })

  test('the prefix may be left out, and another one is kept for the API to refuse', () => {
    expect(itemsIn(form('read See orders\nbills:read'), 'orders').map(({ key }) => key)).toEqual([
      'orders:read',
      'bills:read',
    ])
  })
})
