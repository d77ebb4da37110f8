import type * as english from '../en/refusal-reasons'
import { translation } from '../translation'

/** Why a request was refused: what it means, and what to do next. */
export const refusalReasons = translation<typeof english.refusalReasons>()({
  http_method: {
    title: 'HTTP 方法错误',
    text: '该端点不接受请求所用的方法。',
    next: '请使用响应中 Allow 标头列出的方法。令牌请求使用 POST。',
  },
  url_too_long: {
    title: 'URL 过长',
    text: '请求的 URL 超过 8 KiB。',
    next: '请在 POST 请求正文中发送参数，或减少参数。',
  },
  body_too_large: {
    title: '正文过大',
    text: '请求正文超过 64 KiB。退出登录请求不能超过 URL 的长度上限。',
    next: '请减少发送的内容。',
  },
  body_type: {
    title: '内容类型错误',
    text: '请求正文不是该端点读取的类型。',
    next: '请发送未压缩的 application/x-www-form-urlencoded。注册请求使用 application/json。',
  },
  form_malformed: {
    title: '表单格式错误',
    text: '表单不是 UTF-8，或百分号编码有误。',
    next: '请使用 HTTP 库编码表单。',
  },
  secret_in_url: {
    title: '凭据出现在 URL 中',
    text: '密钥、授权码或客户端 ID 被放在 URL 中发送，会留在日志里。',
    next: '请在正文中发送。请更换曾出现在 URL 中的密钥。',
  },
  parameter_repeated: {
    title: '参数重复',
    text: '某个参数被发送了两次。',
    next: '每个参数只发送一次。只有 resource 可以重复。',
  },
  parameter_too_long: {
    title: '参数过长',
    text: 'state 或 nonce 等参数过长。',
    next: 'state 不得超过 4 KiB，nonce 不得超过 1 KiB。更长的内容请保存在应用中。',
  },
  too_many_parameters: {
    title: '参数过多',
    text: '请求的参数超过 100 个。',
    next: '只发送该端点认识的参数。',
  },
  rate_limited: {
    title: '请求过多',
    text: '已达到请求次数的上限。',
    next: '请等待 Retry-After 指定的秒数。在访问令牌过期之前请重复使用它。',
  },
  internal_error: {
    title: '内部错误',
    text: '门户内部出现问题。',
    next: '请在门户日志中查找该请求 ID，其前一条记录说明了原因。',
  },
  database_unavailable: {
    title: '无法连接数据库',
    text: '门户无法连接其数据库。',
    next: '请检查数据库。应用可以重试。',
  },
  client_unknown: {
    title: '未知应用',
    text: '没有应用或访问密钥使用此客户端 ID。',
    next: '请检查客户端设置中的 ID。已删除的应用无法恢复。',
  },
  application_disabled: {
    title: '应用已停用',
    text: '应用已停用。',
    next: '请在危险区域中启用。',
  },
  access_key_unusable: {
    title: '访问密钥已停用或过期',
    text: '访问密钥已停用或过期。',
    next: '请启用它或创建新的访问密钥。',
  },
  credentials_missing: {
    title: '没有客户端身份验证',
    text: '请求没有说明由哪个客户端发送。',
    next: '请发送 client_id，以及密钥或客户端断言。',
  },
  credentials_malformed: {
    title: '无法读取凭据',
    text: 'Authorization 标头不是有效的 Basic 认证，或发送了密钥却没有 client_id。',
    next: '请对客户端 ID 和密钥分别进行表单编码，用冒号连接，再进行 base64 编码。',
  },
  client_id_differs: {
    title: '两个不同的客户端',
    text: '请求中的 client_id 与 Authorization 标头、客户端断言或 ID 令牌中的客户端不同。',
    next: '请在各处使用同一个客户端，或不发送 client_id。',
  },
  several_methods: {
    title: '两种认证方式',
    text: '客户端同时使用了多种认证方式。',
    next: '只使用其中一种：Authorization 标头、client_secret 或 client_assertion。',
  },
  method_not_allowed: {
    title: '不允许的认证方式',
    text: '应用使用了其设置中未选择的认证方式。',
    next: '请在设置中选择该方式，或让客户端使用已选择的方式。',
  },
  too_many_guesses: {
    title: '错误的密钥过多',
    text: '来自此网络的错误密钥过多，现在正确的密钥也会被拒绝。',
    next: '请更正密钥，然后等待 Retry-After 指定的秒数。如果不是该应用发送的，请更换密钥。',
  },
  wrong_secret: {
    title: '密钥错误',
    text: '该密钥不属于此应用。',
    next: '请检查是否完整复制，或添加新的密钥。',
  },
  secret_expired: {
    title: '密钥已过期',
    text: '密钥已过期。',
    next: '请添加新的密钥并在应用中使用。',
  },
  assertion_type: {
    title: '客户端断言类型错误',
    text: '缺少 client_assertion_type，或其值未知。',
    next: '请发送 urn:ietf:params:oauth:client-assertion-type:jwt-bearer。',
  },
  assertion_malformed: {
    title: '客户端断言不是有效的 JWT',
    text: '无法将客户端断言解析为签名的 JWT。',
    next: '请使用 JWT 库签名，并将 iss 和 sub 设为应用 ID。',
  },
  assertion_keys_missing: {
    title: '没有公钥',
    text: '应用没有公钥。',
    next: '请在其设置中添加。',
  },
  assertion_keys_unreachable: {
    title: '无法获取公钥',
    text: '公钥 URL 没有返回 JWK 集。',
    next: '请检查该 URL，以及本门户能否访问它。',
  },
  assertion_key_unknown: {
    title: '未知的密钥',
    text: '没有公钥具有客户端断言的密钥 ID。',
    next: '请添加该密钥，或使用与已注册公钥对应的私钥。',
  },
  assertion_algorithm: {
    title: '不支持的算法',
    text: '客户端断言的签名算法不被接受。',
    next: '请使用 ES256、PS256、EdDSA 或 RS256。',
  },
  assertion_signature: {
    title: '签名错误',
    text: '客户端断言的签名与公钥不匹配。',
    next: '请使用与已注册公钥对应的私钥。',
  },
  assertion_issuer: {
    title: '颁发者或主体错误',
    text: '客户端断言的 iss 或 sub 不是应用 ID。',
    next: '请将两者都设为应用 ID。',
  },
  assertion_audience: {
    title: '受众错误',
    text: '客户端断言的 aud 不被接受。签名正确，所以确实是该应用发送的。',
    next: '请将 aud 设为本门户的签发者，或在设置中接受其他受众。',
  },
  assertion_expired: {
    title: '客户端断言已过期',
    text: '客户端断言的 exp 已过去。',
    next: '请检查应用的时钟，并为每个请求生成新的断言。',
  },
  assertion_life: {
    title: '客户端断言的有效期过长',
    text: '客户端断言缺少 exp，或 exp 距现在太远。',
    next: '请将 exp 设为几分钟之后。',
  },
  assertion_early: {
    title: '客户端断言尚未生效',
    text: '客户端断言的 iat 或 nbf 在未来。',
    next: '请检查应用的时钟。',
  },
  assertion_id: {
    title: '客户端断言没有 ID',
    text: '客户端断言没有 jti，或 jti 过长。',
    next: '请将 jti 设为不超过 256 个字符的唯一 ID。',
  },
  assertion_replayed: {
    title: '客户端断言被重复使用',
    text: '客户端断言只能使用一次。',
    next: '请为每个请求生成新的断言。如果应用已经这样做，则可能有人复制了断言。',
  },
  confidential_only: {
    title: '仅限能够认证的应用',
    text: '公开应用发送了只有持有密钥的应用才能发送的请求。',
    next: '如果应用能够保管密钥，请为它添加密钥或公钥。',
  },
  grant_type_missing: {
    title: '没有授权类型',
    text: '令牌请求没有 grant_type。',
    next: '请发送 grant_type。',
  },
  grant_type_unknown: {
    title: '未知的授权类型',
    text: '门户不支持此授权类型。',
    next: '请使用发现文档中列出的授权类型。',
  },
  grant_type_not_allowed: {
    title: '不允许的授权类型',
    text: '应用不能使用此授权类型。',
    next: '请在应用设置中选择该授权类型，或让客户端使用其他类型。',
  },
  scope_missing: {
    title: '没有权限范围',
    text: '请求没有 scope，而应用没有默认权限范围。',
    next: '请发送 scope，或在设置中填写默认权限范围。',
  },
  scope_malformed: {
    title: '权限范围格式错误',
    text: 'scope 含有不允许的字符，或过长。',
    next: '请用一个空格分隔权限范围，最多请求 100 个。',
  },
  scope_not_authorized: {
    title: '超出已授权的权限范围',
    text: '刷新时请求了用户登录时没有授权的权限范围。',
    next: '刷新时不要发送 scope，或让用户以新的权限范围重新登录。',
  },
  scopes_refused: {
    title: '权限范围被拒绝',
    text: '没有授予任何权限范围，或应用设为严格模式而其中一个被拒绝。',
    next: '每个被拒绝的权限范围都有原因。请授予缺少的内容，或减少请求。',
  },
  resource_unknown: {
    title: '未知的 API',
    text: 'resource 或 audience 没有指向任何已启用的 API。',
    next: '请发送 API 的受众。',
  },
  resource_ambiguous: {
    title: '同一 API 的多个地址',
    text: '请求指定了同一 API 的两个地址，而令牌只能用于其中一个。',
    next: '请只发送一个地址，并为另一个地址请求第二个令牌。',
  },
  resource_not_authorized: {
    title: 'API 未经授权',
    text: 'resource 指定的 API 不在此次登录的范围内。',
    next: '请在授权请求中发送相同的 resource。',
  },
  token_too_long: {
    title: '令牌过长',
    text: '交换得到的令牌会超过 8 KiB。',
    next: '请减少请求的权限范围，或缩短服务链。',
  },
  token_missing: {
    title: '没有令牌',
    text: '内省或撤销请求没有 token。',
    next: '请发送 token。',
  },
  redirect_uri_missing: {
    title: '没有重定向 URI',
    text: '请求没有 redirect_uri。',
    next: '请发送已注册的重定向 URI 之一，令牌请求也要发送。',
  },
  redirect_uri: {
    title: '重定向 URI 未注册',
    text: '重定向 URI 与已注册的都不是逐字符相同。',
    next: '如果它是您的，请在设置中添加。',
  },
  response_mode: {
    title: '不支持的响应模式',
    text: 'response_mode 既不是 query 也不是 form_post。',
    next: '请使用其中之一，或不发送。',
  },
  response_type_missing: {
    title: '没有响应类型',
    text: '授权请求没有 response_type。',
    next: '请发送 response_type=code。',
  },
  response_type: {
    title: '不支持的响应类型',
    text: '只支持响应类型 code。',
    next: '请发送 response_type=code，并在令牌端点兑换授权码。',
  },
  request_object: {
    title: '不支持请求对象',
    text: '授权请求包含参数 request。',
    next: '请直接发送各个参数。',
  },
  request_uri: {
    title: '不支持 request_uri',
    text: '授权请求包含参数 request_uri。',
    next: '请直接发送各个参数。',
  },
  registration_parameter: {
    title: '不支持 registration 参数',
    text: '授权请求包含参数 registration。',
    next: '请在将用户送到这里之前注册应用。',
  },
  prompt: {
    title: 'prompt 错误',
    text: 'prompt 的值未知，或 none 与其他值同时出现。',
    next: '请单独使用 none，或使用 login、consent 和 select_account。',
  },
  max_age: {
    title: 'max_age 错误',
    text: 'max_age 不是秒数。',
    next: '请发送不带符号的整数。',
  },
  claims_parameter: {
    title: 'claims 参数错误',
    text: 'claims 不是预期形式的 JSON，或过长。',
    next: '请按照 OpenID Connect Core 的说明发送包含 userinfo 和 id_token 的对象。',
  },
  id_token_hint: {
    title: 'ID 令牌不是由此签发',
    text: 'id_token_hint 不是由本门户签发的，或不是签发给此应用的。',
    next: '请发送该应用从本门户获得的 ID 令牌。令牌可以已过期。',
  },
  hints_differ: {
    title: '两个不同的用户',
    text: 'id_token_hint 和 claims 指定了不同的用户。',
    next: '请只发送其中一个。',
  },
  pkce_missing: {
    title: '缺少 PKCE',
    text: '授权请求没有 code_challenge，而此应用要求 PKCE。',
    next: '请发送 code_challenge 和 code_challenge_method=S256。客户端库有相应的设置。',
  },
  pkce_learned: {
    title: '缺少 PKCE，而应用使用过它',
    text: '授权请求没有 code_challenge。应用以前使用过 PKCE，因此门户现在要求使用它。',
    next: '请查明是谁发送了此请求：攻击者可能移除了质询。如果应用还有不使用 PKCE 的版本在运行，请更新该版本，或将 PKCE 设为“不要求”。',
  },
  pkce_portal: {
    title: '缺少 PKCE，而门户要求使用它',
    text: '授权请求没有 code_challenge。门户的一项设置要求所有应用使用 PKCE。',
    next: '请发送 code_challenge 和 code_challenge_method=S256。客户端库有相应的设置。',
  },
  code_challenge: {
    title: 'PKCE 质询错误',
    text: 'code_challenge 格式错误或缺失，或 code_challenge_method 不是 S256。',
    next: '请发送验证码的 SHA-256（base64url），以及 code_challenge_method=S256。',
  },
  interaction_ended: {
    title: '登录已过期或已完成',
    text: '此次登录已超过一小时、已完成，或属于其他浏览器。',
    next: '请用户从应用重新开始。',
  },
  login_needed: {
    title: '没有用户登录',
    text: '发送了 prompt=none，而用户需要先登录。',
    next: '请让用户不带 prompt=none 访问授权端点。这不是错误。',
  },
  account_choice_needed: {
    title: '未选择账户',
    text: '发送了 prompt=none，而用户登录了多个账户。',
    next: '请让用户不带 prompt=none 访问授权端点，或发送 id_token_hint。',
  },
  consent_needed: {
    title: '需要同意',
    text: '发送了 prompt=none，而用户需要先同意。',
    next: '请让用户不带 prompt=none 访问授权端点。这不是错误。',
  },
  stronger_sign_in_needed: {
    title: '需要更强的登录',
    text: '请求要求的登录强度超出用户所能提供的。',
    next: '请要求较低的级别，或让用户设置第二因素。',
  },
  user_declined: {
    title: '用户拒绝',
    text: '用户在同意页上按了取消。',
    next: '请告诉用户应用为什么需要这些访问权限。',
  },
  user_not_admitted: {
    title: '用户不能使用此应用',
    text: '用户缺少应用必需的权限范围。',
    next: '请分配包含该权限范围的角色，或让用户申请；也可以把它从必需的权限范围中移除。',
  },
  code_missing: {
    title: '没有授权码',
    text: '令牌请求没有 code。',
    next: '请发送重定向 URI 收到的授权码。',
  },
  code_unknown: {
    title: '未知的授权码',
    text: '该授权码不存在。它可能有误、过期后已被删除，或在使用前已被撤销。',
    next: '请原样兑换收到的授权码。如果用户在此期间退出登录，请重新登录。',
  },
  code_other_client: {
    title: '其他客户端的授权码',
    text: '该授权码是签发给其他应用或其他访问密钥的。',
    next: '请使用授权请求中的客户端 ID 兑换。如果应用已经这样做，则有人在尝试窃取的授权码。',
  },
  code_redirect_uri: {
    title: '重定向 URI 与授权请求不同',
    text: '令牌请求没有重复授权请求中的 redirect_uri。',
    next: '请在两个请求中发送逐字符相同的 redirect_uri。',
  },
  code_verifier: {
    title: 'PKCE 验证码错误',
    text: 'code_verifier 与授权请求的 code_challenge 不匹配，或缺少其中之一。',
    next: '请将每次登录的验证码保存在发起登录的浏览器会话中。',
  },
  code_without_pkce: {
    title: '授权码没有 PKCE',
    text: '签发该授权码时没有使用 PKCE，而应用或门户此后要求使用它。',
    next: '请在授权请求中发送 code_challenge 和 code_challenge_method=S256，并让用户重新登录。',
  },
  code_expired: {
    title: '授权码已过期',
    text: '该授权码已超过 60 秒。',
    next: '请立即兑换。如果门户的时钟被调慢，请等待其恢复正确。',
  },
  code_used: {
    title: '授权码被重复使用',
    text: '该授权码之前已被兑换，首次兑换的令牌已被撤销。',
    next: '每个授权码只兑换一次。如果应用已经这样做，则有其他人持有该授权码。',
  },
  code_blocked: {
    title: '授权码已被锁定',
    text: '该授权码多次与错误的 PKCE 验证码一起发送。',
    next: '请先更正验证码，再让用户重新登录。',
  },
  device_code_missing: {
    title: '没有设备代码',
    text: '令牌请求没有 device_code。',
    next: '请发送设备授权返回的 device_code。',
  },
  device_code_unknown: {
    title: '未知的设备代码',
    text: '该设备代码不存在，或过期后已被删除。',
    next: '请请求新的代码并显示出来。',
  },
  device_code_other_client: {
    title: '其他客户端的设备代码',
    text: '该设备代码是签发给其他应用或其他访问密钥的。',
    next: '请使用请求该代码的客户端 ID 轮询。',
  },
  device_code_used: {
    title: '设备代码被重复使用',
    text: '该设备代码之前已被兑换。',
    next: '收到令牌后请停止轮询。',
  },
  device_code_expired: {
    title: '设备代码已过期',
    text: '15 分钟内没有人为该设备作出回应。',
    next: '请请求新的代码并显示出来。',
  },
  device_declined: {
    title: '设备被拒绝',
    text: '用户拒绝了该设备，或用户不能使用此应用。',
    next: '请告知用户。如果同时有授权请求被拒绝，其原因也列在这里。',
  },
  device_pending: {
    title: '设备正在等待用户',
    text: '用户尚未为该设备作出回应。',
    next: '请在间隔之后再次请求。这不是错误。',
  },
  device_too_fast: {
    title: '设备轮询过快',
    text: '设备在间隔结束之前再次请求。',
    next: '请将间隔增加五秒。',
  },
  refresh_missing: {
    title: '没有刷新令牌',
    text: '请求没有 refresh_token。',
    next: '请发送应用获得的最新刷新令牌。',
  },
  refresh_unknown: {
    title: '未知的刷新令牌',
    text: '此处不存在该刷新令牌。它可能是其他类型的令牌、有误，或已随用户删除或在过期很久后被删除。',
    next: '请检查应用保存的内容。用户需要重新登录。',
  },
  refresh_other_client: {
    title: '其他客户端的刷新令牌',
    text: '该刷新令牌是签发给其他应用或其他访问密钥的。',
    next: '请使用获得该令牌的客户端 ID 刷新。如果应用已经这样做，则有人在尝试窃取的令牌。',
  },
  refresh_expired: {
    title: '刷新令牌已过期',
    text: '该刷新令牌已 14 天未使用，或登录已超过 90 天。',
    next: '用户需要重新登录。至少每 14 天刷新一次的应用可以更久地保持登录。',
  },
  refresh_replayed: {
    title: '刷新令牌被重复使用',
    text: '已使用的刷新令牌再次被发送，且看起来像是被窃取。此次登录的所有令牌已被撤销。',
    next: '用户需要重新登录。请先保存每个新的刷新令牌再丢弃旧的，不要事后或从其他网络再次发送旧令牌。如果应用已经这样做，则令牌被窃取。',
  },
  sign_in_revoked: {
    title: '登录已被终止',
    text: '此次登录的令牌已被撤销：用户移除了应用或在所有设备上退出登录、管理员终止了访问，或某个令牌被重复使用。',
    next: '用户需要重新登录。审计日志记录了是谁终止的。',
  },
  sign_in_expired: {
    title: '登录已过期',
    text: '此次登录已达到最长期限：有离线访问时为 90 天，否则为一天。',
    next: '用户需要重新登录。如果应用需要更长时间的令牌，请请求 offline_access。',
  },
  session_ended: {
    title: '会话已结束',
    text: '用户退出了登录，或会话已结束。没有离线访问时，令牌会随之失效。',
    next: '用户需要重新登录。如果应用需要在用户不在时工作，请请求 offline_access。',
  },
  user_disabled: {
    title: '用户已停用',
    text: '用户的账户已停用，或即将删除。',
    next: '管理员可以在用户页面启用账户。正在删除账户的用户可以通过登录保留它。',
  },
  consent_gone: {
    title: '同意已撤回',
    text: '用户不再同意此次登录的任何权限范围。',
    next: '请让用户访问授权端点，门户会再次征求同意。',
  },
  paused: {
    title: '用户暂停了应用',
    text: '在暂停期间，应用无法为该用户获得令牌。',
    next: '只有用户可以恢复：在其账户页面，或再次同意该应用。',
  },
  requested_token_type: {
    title: '只能请求访问令牌',
    text: '令牌交换的 requested_token_type 不是访问令牌。',
    next: '请不要发送该参数。',
  },
  subject_token_missing: {
    title: '没有主体令牌',
    text: '令牌交换没有 subject_token。',
    next: '请发送调用该服务时所用的用户访问令牌。',
  },
  subject_token_type: {
    title: '主体令牌类型错误',
    text: 'subject_token_type 不是访问令牌的类型。',
    next: '请发送 urn:ietf:params:oauth:token-type:access_token。',
  },
  actor_token_type: {
    title: '操作者令牌类型错误',
    text: 'actor_token_type 不是访问令牌的类型，或没有 actor_token。',
    next: '请将 urn:ietf:params:oauth:token-type:access_token 与 actor_token 一起发送。',
  },
  subject_token: {
    title: '主体令牌无效',
    text: '令牌交换的主体令牌不是在此仍然有效的用户访问令牌。它已过期、已被撤销，或其中已没有仍被授予的内容。',
    next: '请在处理带来该令牌的请求期间进行交换。',
  },
  subject_audience: {
    title: '主体令牌面向其他 API',
    text: '应用只有是某个 API 的内省者，才能交换面向该 API 的令牌。',
    next: '请在该 API 的页面上添加它。',
  },
  actor_token: {
    title: '操作者令牌无效',
    text: '令牌交换的操作者令牌不是该应用自身的有效令牌。',
    next: '请通过 client_credentials 获取，或不发送。',
  },
  exchange_cycle: {
    title: '令牌交换形成循环',
    text: '主体令牌已经经过此应用。一个应用在一条链中只能出现一次。',
    next: '请传递最初的令牌，或使用应用自身的令牌调用 API。',
  },
  exchange_depth: {
    title: '连续的令牌交换过多',
    text: '该令牌的交换次数已达上限。',
    next: '请缩短服务链。',
  },
  access_token_missing: {
    title: '没有访问令牌',
    text: '请求没有访问令牌。',
    next: '请发送 Authorization: Bearer 和令牌。',
  },
  access_token_in_url: {
    title: '访问令牌出现在 URL 中',
    text: '访问令牌被放在 URL 中发送，会留在日志里。',
    next: '请在 Authorization 标头中发送。',
  },
  access_token_repeated: {
    title: '两个访问令牌',
    text: '请求有多个 Authorization 标头，或标头和表单中都有令牌。',
    next: '令牌只发送一次。',
  },
  access_token_malformed: {
    title: '无法读取访问令牌',
    text: 'Authorization 标头不是 Bearer 加令牌。',
    next: '请发送 Authorization: Bearer、空格和令牌。',
  },
  access_token_invalid: {
    title: '不是本门户的访问令牌',
    text: '该令牌不是由本门户签发的，或不是访问令牌。',
    next: '请发送访问令牌，而不是 ID 令牌或刷新令牌。',
  },
  access_token_expired: {
    title: '访问令牌已过期',
    text: '访问令牌已超过有效期。',
    next: '请刷新令牌。这不是错误。',
  },
  access_token_ended: {
    title: '访问令牌不再有效',
    text: '该令牌已被撤销、其登录已结束、不属于任何用户，或其应用已停用。',
    next: '用户需要重新登录。client_credentials 的令牌没有用户。',
  },
  openid_missing: {
    title: '缺少权限范围 openid',
    text: '用缺少 openid 的令牌请求了 userinfo。',
    next: '请在用户登录时请求 openid。',
  },
  logout_client_missing: {
    title: '退出登录请求没有客户端',
    text: '发送了 post_logout_redirect_uri，但没有 id_token_hint 和 client_id。',
    next: '请发送其中之一。',
  },
  logout_redirect_uri: {
    title: '退出登录 URI 未注册',
    text: 'post_logout_redirect_uri 与已注册的都不是逐字符相同。',
    next: '如果它是您的，请在设置中添加。',
  },
  registration_off: {
    title: '注册已关闭',
    text: '应用不能在此自行注册。',
    next: '请在页面上注册应用，或在设置中启用客户端注册。',
  },
  registration_full: {
    title: '自行注册的应用过多',
    text: '自行注册的应用已达到允许的数量。',
    next: '请删除无人使用的应用，或在设置中提高上限。',
  },
  registration_conflict: {
    title: '注册信息同时被更改',
    text: '另一个请求同时更改了注册信息。',
    next: '请重试。',
  },
  registration_token: {
    title: '注册访问令牌错误',
    text: '该令牌不属于此注册，或应用已停用。',
    next: '请使用注册时返回的 registration_access_token。如果已丢失，请重新注册。',
  },
  initial_token: {
    title: '没有有效的初始访问令牌',
    text: '注册需要初始访问令牌，而它缺失、已过期、已撤销或已用完。',
    next: '请在客户端注册设置中创建。',
  },
  metadata_malformed: {
    title: '元数据不是 JSON 对象',
    text: '注册请求或元数据文档不是 JSON 对象。',
    next: '请发送一个包含 RFC 7591 成员的 JSON 对象。',
  },
  metadata_refused: {
    title: '元数据不被允许',
    text: '元数据中的某个成员不被允许，说明中指出了它。',
    next: '请更正该成员，或将其去掉。客户端注册设置说明了允许的内容。',
  },
  statement_missing: {
    title: '没有软件声明',
    text: '在此注册需要软件声明。',
    next: '请发送 software_statement，或在设置中取消此要求。',
  },
  statement_invalid: {
    title: '软件声明无效',
    text: '软件声明不是 JWT、已过期，或签名错误。',
    next: '请向签名方获取新的声明。',
  },
  statement_keys: {
    title: '无法获取签发者的密钥',
    text: '软件声明签发者的密钥地址没有应答。',
    next: '请检查设置中的密钥地址，以及本门户能否访问它。',
  },
  statement_issuer: {
    title: '软件声明的签发者不受信任',
    text: '软件声明不是由此处信任的一方签名的。',
    next: '如果您信任该签发者，请在客户端注册设置中列出。',
  },
  documents_off: {
    title: '元数据文档已关闭',
    text: '客户端 ID 是一个地址，而此处不接受客户端 ID 元数据文档。',
    next: '请在客户端注册设置中启用，或注册该应用。',
  },
  document_address: {
    title: '不是元数据文档的地址',
    text: '客户端 ID 没有路径、含有片段或凭据，或写法与浏览器不同。',
    next: '请使用带路径的普通 https 地址。',
  },
  document_host: {
    title: '主机不被接受',
    text: '此处不接受该主机的应用。',
    next: '如果您信任该主机，请在客户端注册设置中列出。',
  },
  document_unreadable: {
    title: '无法读取元数据文档',
    text: '该地址没有返回 JSON 文档，或指向内部网络。',
    next: '请在客户端 ID 的地址直接以状态 200 返回 JSON 文档，不要重定向。',
  },
  document_away: {
    title: '元数据文档的主机没有应答',
    text: '该主机没有应答、返回错误，或应答过慢。',
    next: '请稍后重试，并检查本门户能否访问该主机。',
  },
  document_mismatch: {
    title: '其他客户端的元数据文档',
    text: '该文档没有将自己的地址作为 client_id，或包含密钥。',
    next: '请将 client_id 设为文档的地址，并去掉所有密钥。',
  },
  document_redirect_uri: {
    title: '重定向 URI 不在文档中',
    text: '请求的重定向 URI 不在元数据文档中。',
    next: '请将它添加到文档的 redirect_uris。',
  },
  document_deleted: {
    title: '应用已被删除',
    text: '管理员删除了此应用，其文档不会使它恢复。',
    next: '如果再次需要该应用，请在页面上创建。',
  },
  request_refused: {
    title: '请求被拒绝',
    text: '授权请求有错误，说明中指出了错误之处。',
    next: '请更正说明中指出的内容。',
  },
})
