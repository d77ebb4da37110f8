/** The space `shop` of a configuration document, with the API `orders` and these permissions. */
export function shop(
  permissions: readonly object[],
  roles: readonly object[] = [],
  api: object = {},
): object {
  const orders = { prefix: 'orders', name: 'Orders', audience: 'https://orders.test' }
  return {
    key: 'shop',
    name: 'Shop',
    resources: [{ ...orders, ...api, permissions }],
    roles,
  }
}
