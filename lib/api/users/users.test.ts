import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { problemIn } from '../../../e2e/support/problem-in'
import type { Op } from '../../context/op'
import type { UserFields } from '../../store/accounts/users'
import { listGroupMembers } from '../permissions/groups'
import { changeSettings } from '../settings/routes'
import { changeUsers } from './user-batch'
import { importUsers } from './user-files'
import { changeUser, deleteUser, fieldsOf, getUser, NOTHING_YET, requireName } from './users'

/** What is written of a user, one by one, for many at once, and from a table. */

const NOW = new Date('2026-11-15T12:00:00Z')

describe('the fields of a change', () => {
  const settings = { known: () => ({ userAttributes: [] }) }
  const OP = { now: () => NOW, settings } as unknown as Op // a part of it, on purpose
  const ada: UserFields = { ...NOTHING_YET, email: 'ada@x.org', emailVerified: true }
  const fields = (changes: Parameters<typeof fieldsOf>[1], before = ada) =>
    fieldsOf(OP, changes, before)

  test('keep an address verified as long as it is the same', () => {
    expect(fields({ name: 'Ada' })).toEqual({ name: 'Ada', emailVerified: true })
    expect(fields({ email: 'ada@x.org' }).emailVerified).toBe(true)
  })

  test('make another address unverified, unless the caller says that it is', () => {
    expect(fields({ email: 'ada@y.org' }).emailVerified).toBe(false)
    expect(fields({ email: 'ada@y.org', emailVerified: true }).emailVerified).toBe(true)
    expect(fields({ email: 'Ada@x.org' }).emailVerified).toBe(false)
    expect(fields({ email: 'ada@y.org' }, NOTHING_YET).emailVerified).toBe(false)
  })

  test('verify no address that there is not', async () => {
    const verified = { emailVerified: true }
    const told = (changes: object, before: UserFields) =>
      problemIn(() => fieldsOf(OP, { ...verified, ...changes }, before))
    expect(await told({}, NOTHING_YET)).toBe('invalid /emailVerified email_missing')
    expect(await told({ email: null }, ada)).toBe('invalid /emailVerified email_missing')
    expect(fields({ email: null }).emailVerified).toBe(false)
  })

  test('disable a user now, and leave one who is disabled already since when they are', () => {
    const long = { ...ada, disabledAt: new Date(0) }
    expect(fields({ enabled: false }).disabledAt).toBe(NOW)
    expect(fields({ enabled: false }, long).disabledAt).toEqual(new Date(0))
    expect(fields({ enabled: true }, long).disabledAt).toBeNull()
    expect(fields({ name: 'Ada' }, long)).not.toHaveProperty('disabledAt')
  })

  test('leave a user a name to sign in with', async () => {
    const told = (email: string | null, username: string | null) =>
      problemIn(() => requireName({ email, username }))
    expect(await told(null, null)).toBe('invalid /email name_to_sign_in')
    expect(await told('ada@x.org', null)).toBe('not refused')
    expect(await told(null, 'ada')).toBe('not refused')
  })
})

describe.each(usually('sqlite'))('users, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    portal = await openOperations(kind, {
      users: [
        { username: 'root', adminRole: 'owner' },
        { username: 'adam', adminRole: 'admin' },
        ...['ada', 'ben', 'cleo'].map((username) => ({ username })),
      ],
      groups: [{ key: 'crew', name: 'Crew' }],
    })
  })
  afterAll(() => portal.close())

  describe('one change for several of them', () => {
    const batch = (body: object, as = portal.owner) => portal.ask(as, changeUsers, { body })
    const refused = (body: object, as = portal.owner) => portal.refused(as, changeUsers, { body })
    const isEnabled = async (user: string) =>
      (await portal.ask(portal.owner, getUser, { params: { user } })).body.enabled

    test('is made once for whoever is named twice, by ID and by name', async () => {
      const users = ['ada', await portal.idOf('ada'), 'ada']
      expect((await batch({ do: 'disable', users })).body).toEqual({ count: 1 })
      expect(await isEnabled('ada')).toBe(false)
      expect((await batch({ do: 'enable', users })).body).toEqual({ count: 1 })
      expect((await batch({ do: 'add_to_group', users, group: 'crew' })).body).toEqual({ count: 1 })
      const { body } = await portal.ask(portal.owner, listGroupMembers, {
        params: { group: 'crew' },
      })
      expect(body.data).toHaveLength(1)
    })

    test('is made for none if one of them does not exist', async () => {
      expect(await refused({ do: 'disable', users: ['ada', 'nobody'] })).toBe('not_found no_user')
      expect(await isEnabled('ada')).toBe(true)
    })

    test('is made for none if one of them is above the caller', async () => {
      const adam = await portal.as('adam')
      expect(await refused({ do: 'disable', users: ['ada', 'root'] }, adam)).toMatch(/^forbidden /)
      expect(await isEnabled('ada')).toBe(true)
    })

    test('never disables or deletes whoever makes it', async () => {
      const root = await portal.as('root')
      for (const what of ['disable', 'delete']) {
        expect(await refused({ do: what, users: ['ada', 'root'] }, root)).toBe(
          'conflict own_account',
        )
      }
    })

    test('never leaves the portal without an owner', async () => {
      expect(await refused({ do: 'disable', users: ['ada', 'root'] })).toBe('conflict last_owner')
      expect(await isEnabled('ada')).toBe(true)
    })

    test.each<[object, string]>([
      [{ do: 'add_to_group', users: ['ada'] }, 'invalid /group unknown_group'],
      [{ do: 'add_to_group', users: ['ada'], group: 'nothing' }, 'invalid /group unknown_group'],
      [{ do: 'disable', users: [] }, 'invalid /users choose'],
      [{ do: 'promote', users: ['ada'] }, 'invalid /do one_of'],
      [
        { do: 'disable', users: Array.from({ length: 201 }, () => 'ada') },
        'invalid /users too_many',
      ],
    ])('%j is refused: %s', async (body, told) => {
      expect(await refused(body)).toBe(told)
    })
  })

  describe('a table of them', () => {
    const imported = async (csv: string, dryRun = false) =>
      (await portal.ask(portal.owner, importUsers, { body: { csv, dryRun } })).body
    const outcomes = async (csv: string, dryRun = true) =>
      (await imported(csv, dryRun)).data.map(
        ({ outcome, errors }: { outcome: string; errors: { pointer: string; code: string }[] }) =>
          [outcome, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)].join(' '),
      )
    const refused = (csv: string) =>
      portal.refused(portal.owner, importUsers, { body: { csv, dryRun: true } })

    test('is written in parts, so that sign-ins have their turn, and so is a change of them', async () => {
      const names = Array.from({ length: 25 }, (_, at) => `many${at}`)
      const version = async () => (await portal.op.latestSnapshot()).version
      const before = await version()
      expect((await imported(['username', ...names].join('\n'))).created).toBe(names.length)
      const after = await version()
      expect(after - before).toBe(3)
      const body = { do: 'delete', users: names }
      expect((await portal.ask(portal.owner, changeUsers, { body })).body).toEqual({ count: 25 })
      expect((await version()) - after).toBe(3)
    })

    test('says for each line what is wrong with it', async () => {
      const header = 'name,email,username,enabled,emailVerified,attributes'
      const lines = [
        'A,,,,,',
        'B,no address,,,,',
        'C,,аdmin,,,',
        'D,d@x.org,,maybe,,',
        'E,,eve,,true,',
        'F,f@x.org,,TRUE,False,"{""team"":""a""}"',
        'G,g@x.org,,,,no JSON',
        'H,h@x.org,,,,[]',
        'I,i@x.org,,,constructor,',
      ]
      expect(await outcomes([header, ...lines].join('\n'))).toEqual([
        'invalid /email name_to_sign_in',
        'invalid /email email_needed',
        'invalid /username one_alphabet',
        'invalid /enabled yes_or_no_needed',
        'invalid /emailVerified email_missing',
        'created',
        'invalid /attributes object_needed',
        'invalid /attributes object_needed',
        'invalid /emailVerified yes_or_no_needed',
      ])
    })

    test('makes nobody twice, however often and in whichever letters they are in it', async () => {
      const csv = 'email,username\nnew@x.org,\nNEW@X.org,\n,ada\n,New\n,new\n'
      expect(await outcomes(csv)).toEqual(['created', 'exists', 'exists', 'created', 'exists'])
      expect((await imported(csv)).created).toBe(2)
      expect(await outcomes(csv)).toEqual(['exists', 'exists', 'exists', 'exists', 'exists'])
    })

    test('does not give an ID of somebody who was deleted to another', async () => {
      await imported('id,username\nusr_gone,gone\n')
      await portal.ask(portal.owner, deleteUser, { params: { user: 'gone' } })
      expect(await outcomes('id,username\nusr_gone,back\n')).toEqual(['invalid /id id_reused'])
    })

    test.each<[string, string]>([
      ['', 'invalid /csv required'],
      ['\n\n', 'invalid /csv csv_needed'],
      ['name,"email\nA,a@x.org', 'invalid /csv csv_needed'],
      ['name,password\nA,hunter2', 'invalid /csv csv_column'],
      ['Name\nA', 'invalid /csv csv_column'],
      [`username\n${'a\n'.repeat(5_001)}`, 'invalid /csv csv_rows'],
    ])('is no table: %j', async (csv, told) => {
      expect(await refused(csv)).toBe(told)
    })

    test('may come from a spreadsheet, with its mark, its line ends and its apostrophes', async () => {
      const csv = '\uFEFFusername,name\r\nspread,"\'=1+1"\r\n'
      expect((await imported(csv)).created).toBe(1)
      const { body } = await portal.ask(portal.owner, getUser, { params: { user: 'spread' } })
      expect(body.name).toBe('=1+1')
    })

    test('N5: makes no admin above the caller, and then nobody at all', async () => {
      const adam = await portal.as('adam')
      const body = { csv: 'username,adminRole\nplain,\nboss,owner\n' }
      expect(await portal.refused(adam, importUsers, { body })).toMatch(/^forbidden /)
      expect(await portal.idOf('plain')).toBe('')
    })

    test('N28: keeps to the types of the attributes that are defined', async () => {
      const attribute = { key: 'level', name: 'Level', type: 'number', inConditions: true }
      const parties = { seenBy: 'admins', changedBy: 'admins' }
      await portal.ask(portal.owner, changeSettings, {
        body: { userAttributes: [{ ...attribute, ...parties }] },
      })
      const csv = 'username,attributes\nlev,"{""level"":""high""}"\nlav,"{""level"":3}"\n'
      expect(await outcomes(csv)).toEqual(['invalid /attributes/level number_needed', 'created'])
      const body = { attributes: { level: 'high' } }
      expect(
        await portal.refused(portal.owner, changeUser, { params: { user: 'ada' }, body }),
      ).toBe('invalid /attributes/level number_needed')
    })
  })
})
