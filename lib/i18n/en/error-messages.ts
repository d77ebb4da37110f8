import { english } from '../translation'
import { conditionFaults } from './condition-faults'

/**
 * What is wrong with an input: one sentence for each code. The API sends the English ones, so they
 * must make sense without a page.
 */
export const errorMessages = english({
  // ---------------------------------------------------------------- any value
  required: 'This is required.',
  invalid: 'This value is not valid.',
  unrecognized_keys: 'This field does not exist.',
  parameter_unknown: 'This parameter does not exist.',
  number_needed: 'Enter a number.',
  whole_number_needed: 'Enter a whole number.',
  text_needed: 'Enter a text.',
  yes_or_no_needed: 'Use true or false.',
  list_needed: 'Send a list.',
  object_needed: 'Send an object.',
  texts_needed: 'Enter a list of texts.',
  too_short: 'Use at least {minimum} characters.',
  too_long: 'Use at most {maximum} characters.',
  too_small: 'Enter at least {minimum}.',
  too_big: 'Enter at most {maximum}.',
  too_few: 'Choose at least {minimum}.',
  choose: 'Choose at least one.',
  too_many: 'Use at most {maximum} entries.',
  too_many_bytes: 'Use at most {maximum} KiB in total.',
  too_many_members: 'Use at most {maximum} members.',
  too_nested: 'Nest values at most {maximum} levels deep.',
  one_of: 'Choose one of: {choices}.',
  exactly: 'This must be {value}, or be left out.',
  email_needed: 'Enter an e-mail address, such as name@example.com.',
  one_email_needed: 'Enter one address, without commas or control characters.',
  url_needed: 'Enter a complete address, such as https://app.example.com.',
  date_needed: 'Enter a date and time, such as 2030-01-31T09:00:00Z.',
  date_range: 'Choose a time between the years 1970 and 9999.',
  future_needed: 'Choose a time in the future.',
  period_order: 'Choose an end that is after the beginning.',
  ip_needed: 'Enter an IP address, such as 192.0.2.1.',
  base64_needed: 'This must be base64.',
  https_needed: 'Enter an address that begins with https://.',
  web_address_needed: 'Enter an address that begins with https:// or http://.',
  control_characters: 'Remove control characters.',
  not_plain: 'Remove control, direction and invisible characters.',
  printable_needed: 'Use printable ASCII characters without spaces, quotes or backslashes.',
  one_alphabet: 'Use letters of one alphabet.',

  // ---------------------------------------------------------------- names and keys
  key_shape:
    'Use 1 to 63 lower-case letters, digits, dots, underscores or hyphens. Begin with a letter or digit.',
  key_like_id: 'Don’t begin with spc_, rol_ or grp_: IDs do.',
  prefix_shape:
    'Begin with a lower-case letter. Use only lower-case letters, digits, dots, underscores and hyphens, at most 63.',
  prefix_reserved: 'This prefix is reserved for the portal. Choose another.',
  permission_star: 'A permission can’t contain *.',
  permission_openid: 'This name is reserved by OpenID Connect. Choose another.',
  permission_portal: 'This name is reserved for the portal’s own API. Choose another.',
  permission_prefix: 'A permission of this API must begin with {prefix}:.',
  pattern_shape: 'Enter a permission, such as orders:read, or a pattern, such as orders:*.',
  client_id_shape:
    'Use 3 to 63 letters, digits, dots, underscores or hyphens. Begin with a letter or digit.',
  client_id_like_id: 'Don’t begin with usr_ or ak_: other IDs do.',
  user_id_shape: 'Use usr_ and 3 to 60 letters, digits, underscores or hyphens.',
  access_key_shape: 'Use ak_ and 3 to 60 letters, digits, underscores or hyphens.',
  secret_shape: 'Use 32 to 255 printable ASCII characters without spaces.',
  username_shape:
    'Use 1 to 64 letters, digits, dots, underscores or hyphens, with at least one letter or digit.',
  username_like_id: 'Don’t begin with usr_: IDs of users do.',
  attribute_shape:
    'Begin with a letter or underscore. Use only letters, digits and underscores, at most 64.',
  attribute_id: 'This name is reserved: user.id is the ID of the user.',
  attribute_reserved: 'This name is reserved. Choose another.',
  claim_shape: 'Begin with a letter. Use only letters, digits and _ . : / -, at most 128.',
  claim_reserved: 'This claim has a meaning of its own. Choose another name.',
  provider_shape: 'Use 1 to 32 lower-case letters, digits or hyphens, and not “new”.',
  language_tag: 'Enter a language tag, such as en or zh-Hans.',
  id_reused: 'This ID belonged to something that was deleted. Choose another.',
  occurs_twice: '{key} occurs twice. Remove one of them.',

  // ---------------------------------------------------------------- about users
  birthdate_needed: 'Enter a date as YYYY-MM-DD, or a year as YYYY.',
  phone_needed: 'Enter a telephone number.',
  name_to_sign_in: 'Enter an e-mail address or a user name. The user needs one to sign in.',
  email_missing: 'The user has no e-mail address.',
  user_disabled: 'The user is disabled. Enable the user first.',
  user_has_way_in: 'The user can sign in already. A forgotten password is reset at /forgot.',
  mail_off: 'Mail is off. Set up a mail server first.',
  mail_off_for_invitation:
    'Mail is off. Set up a mail server, or ask for the link with returnLink.',
  own_account: 'You can’t do this to your own account. Ask another admin.',
  own_permissions: 'You can’t change your own permissions. Ask another admin.',
  last_owner: 'The portal needs at least one owner. Make somebody else an owner first.',
  csv_needed: 'Send a CSV table with a header and one line for each user.',
  csv_column: 'There is no column “{column}”. The columns are {columns}.',
  csv_rows: 'Import at most {maximum} users at a time.',

  // ---------------------------------------------------------------- pictures and colours
  colour_needed: 'Enter a colour, such as #12604f.',
  contrast_low:
    'This colour is hard to read. Choose one with a contrast of at least {minimum}:1 to the page.',
  portal_words:
    'Remove “{part}”. Marks, addresses and the word “verified” are reserved for the portal, so that users can trust them.',
  logo_needed:
    'Enter an https address, or a data: URI of a PNG, JPEG or WebP picture of at most 64 KiB.',
  picture_missing: 'Choose a picture.',
  picture_large: 'The picture is too large. Choose a smaller one.',
  picture_kind: 'Choose a PNG, JPEG, WebP or GIF file.',
  picture_broken: 'We can’t read this picture. Choose another one.',

  // ---------------------------------------------------------------- applications
  uri_long: 'This address is too long. Use at most 1,500 characters.',
  uri_wildcard: 'Enter a complete address. A wildcard would send codes to unknown addresses.',
  uri_fragment: 'Remove the part after #. It never reaches a server.',
  uri_characters:
    'Enter a complete address without spaces, such as https://app.example.com/callback.',
  uri_credentials: 'Remove the user name and password before the @. Browsers hide them.',
  uri_insecure: 'Use https, or http to this machine (localhost, 127.0.0.1 or [::1]).',
  uri_scheme:
    'Use https, http to this machine, or a scheme that is your domain name in reverse order, such as com.example.app:/callback.',
  uri_origin: 'Enter an origin without a path, such as https://app.example.com.',
  address_not_public:
    'The portal does not call this address. Use a public https address, or ask the operator to allow the host: with OUTBOUND_HOSTS, or with REGISTRATION_OUTBOUND_HOSTS if the application registered itself.',
  grant_type_unknown: 'This grant type is not supported.',
  auth_method_needed: 'Choose at least one authentication method.',
  auth_method_none_alone:
    '“none” can’t be combined with other methods. A public client does not authenticate.',
  auth_method_machine:
    'A machine application must authenticate. Choose a method other than “none”.',
  auth_method_spa: 'A single-page application can’t keep a secret. Choose “none”.',
  keys_either: 'Give either the keys or their address, not both.',
  keys_needed: 'private_key_jwt needs public keys. Give the keys or their address.',
  keys_private:
    'This part belongs to a private key. Send only public keys, and replace this key pair.',
  keys_kid: 'The kid must be a text of at most {maximum} characters.',
  keys_short: 'An RSA key must have at least {minimum} bits.',
  keys_not_public: 'This is not a public key.',
  pkce_needed: 'A public client must use PKCE.',
  client_credentials_public:
    'A public client has no credentials, so it can’t use client_credentials.',
  token_exchange_public: 'A public client has no credentials, so it can’t exchange tokens.',
  exchange_from_itself: 'Name another application. Its own tokens need no exchange.',
  exchange_own_api:
    'A token exchange never gives permissions of the portal itself. Grant them without it.',
  redirect_uri_needed: 'Add at least one redirect URI. Signing users in needs one.',
  redirect_loopback:
    'Only a native application can use an address of this machine. Register it as native.',
  redirect_private: 'Use a public host name. An admin can list hosts of private networks.',
  redirect_not_listed: 'This host is not allowed here. Ask an admin to list it.',
  grant_type_refused: 'Use only grant types that are allowed here: {allowed}.',
  grant_type_code:
    'Include authorization_code for the response type code, or the device grant type for a device.',
  scopes_refused: 'None of these scopes is allowed here.',
  scope_not_known: 'There is no scope of this name. Create the permission first.',
  scope_of_portal: 'Clients that register themselves can’t use the portal’s own API.',
  kind_kept: 'The kind of a registered client can’t change. Register a new one.',
  name_of_portal:
    'This name looks like the portal’s own name or like one of its marks. Choose another.',
  not_offered: 'The portal does not offer this. Leave it out.',
  host_shape: 'Enter a host in lower case, such as app.example.com, or *.example.com.',
  initial_tokens_most: 'There are {maximum} initial access tokens already. Revoke some first.',
  no_initial_token: 'There is no initial access token {id}.',
  redirect_uri_machine: 'A machine application can’t sign users in. Remove the redirect URIs.',
  secret_not_possible:
    'This application can’t have a secret. Add client_secret_basic or client_secret_post to its authentication methods first.',
  secrets_most: 'An application can have at most {maximum} secrets. Revoke one first.',
  secret_ended: 'The secret has expired or was revoked. Add a new one.',
  owner_forbidden: 'Only an admin can make another user the owner of an application.',
  publisher_missing: 'Enter the publisher first. Only a publisher can be verified.',
  publisher_forbidden: 'Only an admin can mark the publisher as verified.',
  machine_consent: 'A machine application has no users who could consent.',
  application_disabled: 'The application or access key is disabled. Enable it first.',
  map_forbidden: 'To put user attributes in tokens, you must be allowed to read users.',
  mapping_twice: 'Another entry has this claim. Choose another name.',
  mapping_unsafe:
    'Users may have written this attribute. Leave it out of access tokens: an API could take it for a decision of an admin.',
  attribute_undefined: 'This attribute is not defined.',
  test_login_ended: 'This test login has expired, or another user began it. Start again.',
  code_or_error: 'Send either code or error.',

  // ---------------------------------------------------------------- APIs, roles and permissions
  audience_reserved: 'This audience is reserved for the portal’s own API. Choose another.',
  audience_no_address:
    'Addresses can lie below it only if it is a plain URL: http or https, without a query, dots or encoded characters in its path.',
  audience_fragment: 'Remove the part after #. An audience has none (RFC 8707 §2).',
  unknown_permission: 'This permission does not exist.',
  unknown_permission_or_api: 'This permission or API does not exist.',
  unknown_permission_in_api: 'This permission does not exist in this API.',
  unknown_permissions: 'A permission does not exist.',
  unknown_role: 'This role does not exist in this space.',
  replay_draft_large:
    'The draft changes more than {maximum} users and applications, or too much at once. Replay a smaller part of it.',
  replay_draft_empty: 'Name at least one change, or send a file.',
  unknown_role_in_model: 'This role does not exist in this document.',
  unknown_application: 'This application does not exist.',
  unknown_space: 'This space does not exist.',
  unknown_api: 'This API does not exist in this space.',
  unknown_group: 'This group does not exist.',
  unknown_user: 'No user has this ID, user name or verified address.',
  unknown_subject_user: 'This user does not exist. Use the ID.',
  unknown_subject_group: 'This group does not exist. Use the ID.',
  unknown_subject_client: 'This application does not exist. Use the ID.',
  cycle: 'The parent roles would form a cycle.',
  too_deep: 'Roles can have at most {maximum} levels of parents.',
  assignments_most:
    'One subject can hold at most {maximum} assignments. Use a role with parent roles, or a group.',
  grants_most: 'One application can hold at most {maximum} grants. Use patterns such as orders:*.',
  not_yours_to_give: 'You don’t hold {what} yourself.',
  authority: 'You can’t give {what}. It can be given by {who}.',
  at_member: '{member}: {reason}',
  user_or_client: 'Name either a user or a client.',
  conditions_long: 'The conditions of one request can have at most {maximum} characters in all.',
  condition_hidden:
    'Conditions can’t read user.{key}. Allow it at the attribute, or choose another one.',
  clean_up_long:
    'The audit log of these days is too long to be read completely. Ask for fewer days.',
  clean_up_changed:
    'Something in this list was used or changed in the meantime. Read the preview again.',

  // ---------------------------------------------------------------- settings
  fixed: 'The environment fixes this setting. Change or unset {variable}.',
  provider_fixed: 'The environment defines this provider. Change UPSTREAM_PROVIDERS.',
  provider_address: 'Enter an address without query or fragment, such as https://id.example.com.',
  provider_domain: 'Enter domains in lower-case letters, such as example.com.',
  provider_tenant: 'Enter the ID of one directory, not “common” or a domain.',
  provider_secret: 'Enter the client secret.',
  provider_reference: 'Name an environment variable, such as env:ACME_SECRET.',
  smtp_url: 'Enter an address such as smtp://user@mail.example.com:587 or smtps://….',
  smtp_password: 'Leave the password out of the address. It has its own field.',
  sender_needed: 'Enter one address, or a name and an address in <>.',
  password_lengths: 'This can’t be more than the length of a password alone.',
  session_idle: 'This can’t be longer than the whole session.',
  registration_mail: 'Open registration needs mail to verify addresses. Set up mail first.',
  language_not_offered: 'Choose one of the offered languages.',
  mail_server_missing: 'There is no mail server. Set one first.',
  test_mail_address: 'The test mail goes to you, and you have no e-mail address. Add one first.',
  attribute_twice: 'Another attribute has this key. Choose another.',
  attribute_unseen: 'Users must see what they can change.',
  attribute_unsafe:
    'Users may have written the values of this attribute. Define another one for conditions.',
  attribute_read:
    'A condition reads user.{key}. Change the condition first, or let conditions read it.',
  attribute_decides:
    'The request rule “{name}” finds by {key} who decides. Choose other approvers there first, and wait until its open requests are decided.',
  user_names_missing: 'A user needs an e-mail address or a user name.',
  environment_name: 'This must be the name of an environment variable.',
  providers_twice: 'Two providers have the same ID.',

  // ---------------------------------------------------------------- keys, webhooks, logs
  key_staged: 'An {alg} key is staged already. Rotate, or wait until it signs.',
  key_not_staged: 'No {alg} key is staged. Stage one first.',
  key_waits: 'The staged key begins to sign at {when}. Wait, or rotate at once.',
  key_revoked: 'This key is revoked already.',
  webhook_address: 'Enter an https address without a user name or fragment.',
  webhook_secret: 'Use whsec_ and 24 to 64 bytes in base64.',
  webhook_disabled: 'The webhook is disabled. Enable it first.',
  event_unknown:
    'No event has this name. Choose one from the list of events, user.* for a group, or * for all.',
  time_zone_needed: 'Enter a time zone, such as Europe/Berlin.',
  event_shape: 'Enter an event, such as user.created, or a pattern, such as user.*.',
  view_person: 'Only users can save views. An application sends its filters with each request.',
  views_most: 'You can save at most {maximum} views. Delete one first.',
  view_filters: 'A view contains only filters of the audit log.',
  message_delivered: 'The message was delivered already.',
  message_sending: 'The message is being sent. Try again in half a minute.',
  message_cancelled: 'The message was cancelled.',
  message_failed: 'The message has failed and is not tried again. There is nothing to cancel.',
  message_notice: 'A notice about the security of an account can’t be cancelled.',
  outbox_closed: 'Mail can be read here only in development without a mail server.',
  cursor_foreign: 'The cursor does not belong to this list. Start again without it.',
  scope_malformed:
    'This is not a list of scopes. Separate them with spaces, and use fewer or shorter ones.',
  confirmation_no_person:
    'A person confirms changes here, and this token acts for none. A client without a user makes changes at /api/v1.',
  confirmation_declined:
    'The user declined this change. Ask them before you try again in ten minutes.',
  origin_unknown:
    'This web site may not call the MCP server. Register its origin at an application first.',
  scope_needed: 'The scope {scope} is required.',
  own_page_needed: 'A call with a session must come from a page of the portal.',

  // ---------------------------------------------------------------- something else has it
  taken: 'Something else has this name or key already. Choose another.',
  taken_email: '{name} has this address already.',
  taken_user_id: '{name} has this ID already.',
  taken_username: '{name} has this user name already.',
  taken_group: 'The group “{name}” has this key already.',
  taken_space: 'The space “{name}” has this key already.',
  taken_role: 'The role “{name}” has this key already.',
  taken_prefix: 'The API “{name}” has this prefix already.',
  taken_audience: 'The API “{name}” has this audience already.',
  taken_permission: 'The API “{name}” has this permission already.',
  taken_client_id: 'The application “{name}” has this client ID already.',
  taken_access_key: 'An access key of the application “{name}” has this ID already.',
  taken_view: 'You have a view “{name}” already.',

  // ---------------------------------------------------------------- nothing has it
  no_path: 'This path does not exist.',
  no_name: 'An ID or key is never empty and has no control characters.',
  no_application: 'No application has the ID “{id}”.',
  no_client: 'No application or access key has the client ID “{id}”.',
  no_access_key: 'This application has no access key “{id}”.',
  no_secret: 'This application has no secret “{id}”.',
  no_logo: 'This application has no logo “{id}”.',
  no_api: 'No API has the ID or prefix “{id}”.',
  no_permission: 'No permission has the name “{id}”.',
  no_role: 'No role has the ID or key “{id}”.',
  no_assignment: 'No assignment has the ID “{id}”.',
  no_space: 'No space has the ID or key “{id}”.',
  no_user: 'No user has the ID or user name “{id}”.',
  no_group: 'No group has the ID or key “{id}”.',
  no_member: 'The user “{id}” is not a member.',
  no_session: 'The user has no session “{id}”.',
  no_factor: 'The user has no second factor “{id}”.',
  no_consent: 'The user has no consent for “{id}”.',
  no_key: 'No signing key has the ID “{id}”.',
  no_entry: 'No entry of the audit log has the ID “{id}”.',
  no_view: 'You have no view with the ID “{id}”.',
  no_webhook: 'No webhook has the ID “{id}”.',
  no_rule: 'No request rule has the ID “{id}”.',
  no_access_request: 'No request for access has the ID “{id}”.',
  taken_rule: 'The API has a rule with this name already. Choose another name.',
  askers_user:
    'This reads {variable}. Who may ask is known by the user alone: use user and request.time.',
  request_pattern: 'This is no permission of the API {prefix}.',
  request_portal: 'Nobody can ask for permissions of the portal itself.',
  approver_unknown: 'This approver does not exist.',
  too_few_approvers:
    'If {name} asks, too few people can decide: {count} instead of {needed}. Add approvers, or ask for fewer approvals.',
  manager_missing:
    '{name} could ask, but the attribute {attribute} names nobody who could decide. Add other approvers.',
  manager_hidden:
    'The attribute {key} can’t name who decides: users write it themselves, or conditions can’t read it. Choose another attribute, or other approvers.',
  too_many_askers:
    'There are too many users to check that each has a manager. Add other approvers.',
  binding_invalid:
    'This is not what was refused, or the refusal is too old. Try again in the application first.',
  not_requestable: 'You can’t ask for this permission.',
  request_end: 'Choose an end that is at most {hours} hours from now.',
  too_many_requests:
    'You have {maximum} open requests. Wait until they are decided, or withdraw one.',
  requests_a_day: 'You asked {maximum} times within a day. Try again tomorrow.',
  other_callback:
    'The same is asked for already, with another callback. Send the same callback, or cancel the task first.',
  application_needed:
    'Only an application can use this. Sign in to the portal and ask for access in your account.',
  access_given: 'You have this access already. Try again in the application.',
  request_over: 'This request is no longer open.',
  nothing_to_take_back: 'There is nothing to take back: this access has ended or was never given.',
  not_approver: 'You can’t decide about this request.',
  own_request: 'Nobody decides about their own request.',
  voted_already: 'You have approved this request already.',
  no_review: 'No review of access has the ID “{id}”.',
  no_review_item: 'This review has no item with the ID “{id}”.',
  review_over_unknown: 'This does not exist, or you can’t see it. Choose what the review is over.',
  review_not_yours: 'You can review only access that you could take away yourself.',
  review_empty: 'There is no access to review here.',
  review_use_unknown:
    'So much is logged that it is not known what was not used. Review an application or an API instead.',
  review_too_large: 'A review can have at most {maximum} items. Start several smaller ones.',
  review_without_reviewer:
    'None of the reviewers could decide about “{what}” of {name}. Nobody reviews their own access, and only admins review access to the portal itself. Add reviewers, or name others as fallback.',
  review_fallback: 'Choose users, groups or roles as fallback.',
  review_deadline: 'Choose a deadline from one day to 90 days from now.',
  reviews_a_day: 'You started {maximum} reviews within a day. Try again tomorrow.',
  reviews_most: 'You have {maximum} open reviews. Close or cancel one first.',
  review_over: 'This review is no longer open.',
  review_open: 'This review is not closed yet. There is evidence once it is closed.',
  review_undecided:
    '{count} items are not decided yet. Decide about them, or wait for the deadline.',
  review_starter:
    'Only whoever started this review, or an admin whom it does not concern, can do this.',
  not_reviewer: 'You can’t review this access.',
  review_own: 'Nobody decides about their own access.',
  review_item_twice: 'This item is in the list twice.',
  review_narrow_only: 'Send this only with the decision “narrow”.',
  review_narrow_how: 'Say which permissions stay, or choose an earlier end.',
  review_until: 'Choose an end that is after the deadline of the review.',
  not_narrowable: 'This can only be kept or removed.',
  emergency_no_reviewer:
    'Nobody else could review what {name} opens in an emergency. Add other reviewers.',
  emergency_self:
    'You are named for emergencies about these permissions. Nobody names themselves or changes what they may open: ask somebody else to do it.',
  emergency_reason: 'Say what happened, in at least {minimum} characters.',
  emergency_application:
    'The application lacks this permission too, and an emergency gives it only to you. Open it from your account, or ask for it.',
  emergency_not_named: 'You can’t open this in an emergency. Ask for it instead.',
  emergency_nobody_reviews:
    'Nobody could review it now, so it can’t be opened. Ask for it instead.',
  emergency_open:
    'You have opened something by this rule already. Take it back first, or wait for its end.',
  emergencies_a_day:
    'You opened access in an emergency {maximum} times within a day. Ask for it instead.',
  emergency_review_missing:
    'The review of {permission}, which you opened before, is missing since {since}. Ask its reviewers to do it. Until then, you can’t open anything of this API. ID: {request}',
  emergency_unjustified:
    'A review found that {permission}, which you opened before, was not justified. You can’t open anything of this API until {until}. Ask for it instead. ID: {request}',
  own_review: 'Nobody reviews what they opened themselves.',
  reviewed_already: 'Somebody has reviewed this access already.',
  nothing_to_review: 'This access was not opened in an emergency. There is nothing to review.',
  person_needed: 'Only a person can do this. Sign in to the portal.',
  narrower_needed: 'Choose an earlier end than the one that was asked for.',
  no_delivery: 'This webhook has no delivery “{id}”.',
  no_message: 'No message of the outbox has the ID “{id}”.',
  no_provider: 'No sign-in provider has the ID “{id}”.',
  no_attribute: 'No user attribute has the key “{id}”.',
  no_grant: 'This role has no grant “{id}”.',
  no_assertion: 'No assertion has the ID “{id}”.',

  ...conditionFaults,
})
