import { parseConfiguration } from './schema'

/**
 * A small shop to look around in, as a configuration document like any other. It has no users and
 * no secrets, so it does no harm in a portal that is already public.
 */
const DOCUMENT = {
  version: 1,
  spaces: [
    {
      key: 'shop',
      name: 'Sample shop',
      resources: [
        {
          prefix: 'orders',
          audience: 'https://orders.example.com',
          name: 'Orders',
          permissions: [
            { key: 'orders:read', descriptions: { en: 'See orders', 'zh-Hans': '查看订单' } },
            {
              key: 'orders:write',
              descriptions: { en: 'Create and change orders', 'zh-Hans': '创建和修改订单' },
            },
            {
              key: 'orders:refund',
              descriptions: { en: 'Refund orders', 'zh-Hans': '为订单退款' },
              sensitive: true,
              needsRole: true,
            },
          ],
        },
      ],
      roles: [
        {
          key: 'clerk',
          name: 'Clerk',
          permissions: [{ pattern: 'orders:read' }, { pattern: 'orders:write' }],
        },
        {
          key: 'manager',
          name: 'Manager',
          parents: ['clerk'],
          permissions: [{ pattern: 'orders:refund' }],
        },
      ],
    },
  ],
  applications: [
    {
      id: 'app_sample_web',
      kind: 'web',
      name: 'Sample web shop',
      redirectUris: ['https://shop.example.com/callback'],
      grants: ['orders:*'],
    },
    {
      id: 'app_sample_machine',
      kind: 'machine',
      name: 'Sample nightly export',
      grants: ['orders:read'],
    },
  ],
}

export const SAMPLE_SHOP = parseConfiguration(JSON.stringify(DOCUMENT))
