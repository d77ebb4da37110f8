import type { Op } from '../../context/op'
import type { Endpoint } from '../../oidc/endpoint'
import { deleteRegistration, readRegistration, replaceRegistration } from './manage'
import { register } from './register'

export const registrationEndpoint: Endpoint<Op> = {
  name: 'registration',
  methods: { POST: register },
}

export const registeredClientEndpoint: Endpoint<Op> = {
  name: 'registered_client',
  methods: { GET: readRegistration, PUT: replaceRegistration, DELETE: deleteRegistration },
}
