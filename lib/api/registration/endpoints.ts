import type { Op } from '../../context/op'
import type { Endpoint } from '../../oidc/endpoint'
import { deleteRegistration, readRegistration, replaceRegistration } from './manage'
import { recordingRefusals } from './refusal'
import { register } from './register'

export const registrationEndpoint: Endpoint<Op> = {
  name: 'registration',
  methods: { POST: recordingRefusals(register) },
}

export const registeredClientEndpoint: Endpoint<Op> = {
  name: 'registered_client',
  methods: {
    GET: recordingRefusals(readRegistration),
    PUT: recordingRefusals(replaceRegistration),
    DELETE: recordingRefusals(deleteRegistration),
  },
}
