-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "email" TEXT,
    "emailKey" TEXT,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "username" TEXT,
    "usernameKey" TEXT,
    "name" TEXT,
    "profile" JSONB NOT NULL,
    "attributes" JSONB NOT NULL,
    "adminRole" TEXT,
    "locale" TEXT,
    "disabledAt" DATETIME,
    "deleteAfter" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1
);

-- CreateTable
CREATE TABLE "Identity" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "claims" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    CONSTRAINT "Identity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PasswordCredential" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "changedAt" DATETIME NOT NULL,
    CONSTRAINT "PasswordCredential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "TotpCredential" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secretEncrypted" TEXT NOT NULL,
    "lastStep" INTEGER NOT NULL DEFAULT 0,
    "confirmedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    CONSTRAINT "TotpCredential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PasskeyCredential" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "publicKey" BLOB NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" JSONB NOT NULL,
    "deviceBound" BOOLEAN NOT NULL,
    "aaguid" TEXT,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    CONSTRAINT "PasskeyCredential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "codeHash" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "TrustedDevice" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "userAgent" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "TrustedDevice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "OneTimeLink" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "purpose" TEXT NOT NULL,
    "userId" TEXT,
    "email" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    CONSTRAINT "OneTimeLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "secretHash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "authTime" DATETIME NOT NULL,
    "acr" TEXT NOT NULL,
    "amr" JSONB NOT NULL,
    "confirmedAt" DATETIME,
    "ip" TEXT,
    "userAgent" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "idleExpiresAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Interaction" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "browserHash" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "ask" JSONB NOT NULL,
    "progress" JSONB NOT NULL,
    "sessionId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "completedAt" DATETIME
);

-- CreateTable
CREATE TABLE "Application" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "spaceId" TEXT,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "publisher" TEXT,
    "logoUri" TEXT,
    "policyUri" TEXT,
    "tosUri" TEXT,
    "branding" JSONB NOT NULL,
    "redirectUris" JSONB NOT NULL,
    "postLogoutRedirectUris" JSONB NOT NULL,
    "backchannelLogoutUri" TEXT,
    "origins" JSONB NOT NULL,
    "grantTypes" JSONB NOT NULL,
    "authMethods" JSONB NOT NULL,
    "jwks" JSONB,
    "jwksUri" TEXT,
    "assertionAudience" TEXT NOT NULL DEFAULT 'issuer',
    "requirePkce" BOOLEAN NOT NULL DEFAULT true,
    "strictScopes" BOOLEAN NOT NULL DEFAULT false,
    "requiredScopes" JSONB NOT NULL,
    "defaultScopes" JSONB NOT NULL,
    "idTokenAlg" TEXT NOT NULL DEFAULT 'RS256',
    "accessTokenAlg" TEXT NOT NULL DEFAULT 'ES256',
    "ownerId" TEXT,
    "disabledAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "Application_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApplicationSecret" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "applicationId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "revokedAt" DATETIME,
    "lastUsedAt" DATETIME,
    "lastUsedIp" TEXT,
    CONSTRAINT "ApplicationSecret_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AccessKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "applicationId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "scopes" JSONB,
    "tokenSeconds" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "disabledAt" DATETIME,
    "lastUsedAt" DATETIME,
    "lastUsedIp" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "AccessKey_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Space" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1
);

-- CreateTable
CREATE TABLE "Api" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "spaceId" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tokenSeconds" INTEGER NOT NULL,
    "tokenAlg" TEXT,
    "disabledAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "Api_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PermissionItem" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "apiId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "descriptions" JSONB NOT NULL,
    "userBound" BOOLEAN NOT NULL DEFAULT false,
    "needsRole" BOOLEAN NOT NULL DEFAULT false,
    "sensitive" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "PermissionItem_apiId_fkey" FOREIGN KEY ("apiId") REFERENCES "Api" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Role" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "spaceId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" TEXT NOT NULL DEFAULT 'user',
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "Role_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RoleParent" (
    "roleId" TEXT NOT NULL,
    "parentId" TEXT NOT NULL,

    PRIMARY KEY ("roleId", "parentId"),
    CONSTRAINT "RoleParent_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "RoleParent_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Group" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1
);

-- CreateTable
CREATE TABLE "GroupMember" (
    "groupId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("groupId", "userId"),
    CONSTRAINT "GroupMember_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "GroupMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Assignment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "roleId" TEXT NOT NULL,
    "userId" TEXT,
    "groupId" TEXT,
    "applicationId" TEXT,
    "instance" TEXT,
    "effect" TEXT NOT NULL DEFAULT 'allow',
    "condition" TEXT,
    "validFrom" DATETIME,
    "validUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "Assignment_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Assignment_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Assignment_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Assignment_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Grant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "applicationId" TEXT,
    "accessKeyId" TEXT,
    "roleId" TEXT,
    "pattern" TEXT NOT NULL,
    "effect" TEXT NOT NULL DEFAULT 'allow',
    "condition" TEXT,
    "validFrom" DATETIME,
    "validUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "Grant_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Grant_accessKeyId_fkey" FOREIGN KEY ("accessKeyId") REFERENCES "AccessKey" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Grant_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PolicyAssertion" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "spaceId" TEXT NOT NULL,
    "question" JSONB NOT NULL,
    "expected" BOOLEAN NOT NULL,
    "lastRunAt" DATETIME,
    "lastResult" BOOLEAN,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "PolicyAssertion_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PolicyVersion" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "version" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "Consent" (
    "userId" TEXT NOT NULL,
    "applicationId" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "granted" BOOLEAN NOT NULL,
    "decidedAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "applicationId", "scope"),
    CONSTRAINT "Consent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Consent_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationCode" (
    "codeHash" TEXT NOT NULL PRIMARY KEY,
    "applicationId" TEXT NOT NULL,
    "accessKeyId" TEXT,
    "userId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "scopes" JSONB NOT NULL,
    "resources" JSONB NOT NULL,
    "challenge" TEXT,
    "nonce" TEXT,
    "claims" JSONB,
    "authTime" DATETIME NOT NULL,
    "acr" TEXT NOT NULL,
    "amr" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "tokenGrantId" TEXT,
    CONSTRAINT "AuthorizationCode_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "TokenGrant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "applicationId" TEXT NOT NULL,
    "accessKeyId" TEXT,
    "userId" TEXT NOT NULL,
    "sessionId" TEXT,
    "scopes" JSONB NOT NULL,
    "resources" JSONB NOT NULL,
    "claims" JSONB,
    "authTime" DATETIME NOT NULL,
    "acr" TEXT NOT NULL,
    "amr" JSONB NOT NULL,
    "offline" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    "revokedReason" TEXT,
    CONSTRAINT "TokenGrant_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "TokenGrant_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RefreshFamily" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tokenGrantId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    CONSTRAINT "RefreshFamily_tokenGrantId_fkey" FOREIGN KEY ("tokenGrantId") REFERENCES "TokenGrant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RefreshToken" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "familyId" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "successorEncrypted" TEXT,
    CONSTRAINT "RefreshToken_familyId_fkey" FOREIGN KEY ("familyId") REFERENCES "RefreshFamily" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RevokedToken" (
    "jti" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "UsedAssertion" (
    "clientId" TEXT NOT NULL,
    "jti" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,

    PRIMARY KEY ("clientId", "jti")
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "alg" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "activeSlot" TEXT,
    "publicJwk" JSONB NOT NULL,
    "privateEncrypted" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "activatesAt" DATETIME NOT NULL,
    "retiredAt" DATETIME,
    "removedAt" DATETIME
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "seq" BIGINT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "event" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "actorKind" TEXT NOT NULL,
    "actorId" TEXT,
    "targetKind" TEXT,
    "targetId" TEXT,
    "applicationId" TEXT,
    "ip" TEXT,
    "requestId" TEXT,
    "decisionId" TEXT,
    "detail" JSONB NOT NULL,
    "previousHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditHead" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "OutboxMessage" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "dedupeKey" TEXT,
    "payloadEncrypted" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" DATETIME NOT NULL,
    "lockedUntil" DATETIME,
    "deliveredAt" DATETIME,
    "failedAt" DATETIME,
    "lastError" TEXT,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "RateCounter" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "IdempotencyRecord" (
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "status" INTEGER,
    "response" JSONB,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,

    PRIMARY KEY ("caller", "key")
);

-- CreateTable
CREATE TABLE "Setting" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" JSONB NOT NULL,
    "secretEncrypted" TEXT,
    "updatedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "User_emailKey_key" ON "User"("emailKey");

-- CreateIndex
CREATE UNIQUE INDEX "User_usernameKey_key" ON "User"("usernameKey");

-- CreateIndex
CREATE INDEX "Identity_userId_idx" ON "Identity"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Identity_provider_subject_key" ON "Identity"("provider", "subject");

-- CreateIndex
CREATE INDEX "TotpCredential_userId_idx" ON "TotpCredential"("userId");

-- CreateIndex
CREATE INDEX "PasskeyCredential_userId_idx" ON "PasskeyCredential"("userId");

-- CreateIndex
CREATE INDEX "RecoveryCode_userId_idx" ON "RecoveryCode"("userId");

-- CreateIndex
CREATE INDEX "TrustedDevice_userId_idx" ON "TrustedDevice"("userId");

-- CreateIndex
CREATE INDEX "OneTimeLink_userId_purpose_idx" ON "OneTimeLink"("userId", "purpose");

-- CreateIndex
CREATE INDEX "OneTimeLink_expiresAt_idx" ON "OneTimeLink"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Session_secretHash_key" ON "Session"("secretHash");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "Interaction_expiresAt_idx" ON "Interaction"("expiresAt");

-- CreateIndex
CREATE INDEX "ApplicationSecret_applicationId_idx" ON "ApplicationSecret"("applicationId");

-- CreateIndex
CREATE INDEX "AccessKey_applicationId_idx" ON "AccessKey"("applicationId");

-- CreateIndex
CREATE UNIQUE INDEX "Space_key_key" ON "Space"("key");

-- CreateIndex
CREATE UNIQUE INDEX "Api_audience_key" ON "Api"("audience");

-- CreateIndex
CREATE UNIQUE INDEX "Api_prefix_key" ON "Api"("prefix");

-- CreateIndex
CREATE INDEX "Api_spaceId_idx" ON "Api"("spaceId");

-- CreateIndex
CREATE UNIQUE INDEX "PermissionItem_key_key" ON "PermissionItem"("key");

-- CreateIndex
CREATE INDEX "PermissionItem_apiId_idx" ON "PermissionItem"("apiId");

-- CreateIndex
CREATE UNIQUE INDEX "Role_spaceId_key_key" ON "Role"("spaceId", "key");

-- CreateIndex
CREATE INDEX "RoleParent_parentId_idx" ON "RoleParent"("parentId");

-- CreateIndex
CREATE UNIQUE INDEX "Group_key_key" ON "Group"("key");

-- CreateIndex
CREATE INDEX "GroupMember_userId_idx" ON "GroupMember"("userId");

-- CreateIndex
CREATE INDEX "Assignment_roleId_idx" ON "Assignment"("roleId");

-- CreateIndex
CREATE INDEX "Assignment_userId_idx" ON "Assignment"("userId");

-- CreateIndex
CREATE INDEX "Assignment_groupId_idx" ON "Assignment"("groupId");

-- CreateIndex
CREATE INDEX "Assignment_applicationId_idx" ON "Assignment"("applicationId");

-- CreateIndex
CREATE INDEX "Grant_applicationId_idx" ON "Grant"("applicationId");

-- CreateIndex
CREATE INDEX "Grant_accessKeyId_idx" ON "Grant"("accessKeyId");

-- CreateIndex
CREATE INDEX "Grant_roleId_idx" ON "Grant"("roleId");

-- CreateIndex
CREATE INDEX "Grant_pattern_idx" ON "Grant"("pattern");

-- CreateIndex
CREATE INDEX "PolicyAssertion_spaceId_idx" ON "PolicyAssertion"("spaceId");

-- CreateIndex
CREATE INDEX "Consent_applicationId_idx" ON "Consent"("applicationId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorizationCode_tokenGrantId_key" ON "AuthorizationCode"("tokenGrantId");

-- CreateIndex
CREATE INDEX "AuthorizationCode_applicationId_idx" ON "AuthorizationCode"("applicationId");

-- CreateIndex
CREATE INDEX "AuthorizationCode_userId_idx" ON "AuthorizationCode"("userId");

-- CreateIndex
CREATE INDEX "AuthorizationCode_expiresAt_idx" ON "AuthorizationCode"("expiresAt");

-- CreateIndex
CREATE INDEX "TokenGrant_userId_idx" ON "TokenGrant"("userId");

-- CreateIndex
CREATE INDEX "TokenGrant_applicationId_idx" ON "TokenGrant"("applicationId");

-- CreateIndex
CREATE INDEX "TokenGrant_sessionId_idx" ON "TokenGrant"("sessionId");

-- CreateIndex
CREATE INDEX "TokenGrant_expiresAt_idx" ON "TokenGrant"("expiresAt");

-- CreateIndex
CREATE INDEX "RefreshFamily_tokenGrantId_idx" ON "RefreshFamily"("tokenGrantId");

-- CreateIndex
CREATE INDEX "RefreshFamily_expiresAt_idx" ON "RefreshFamily"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "RefreshToken_familyId_generation_key" ON "RefreshToken"("familyId", "generation");

-- CreateIndex
CREATE INDEX "RevokedToken_expiresAt_idx" ON "RevokedToken"("expiresAt");

-- CreateIndex
CREATE INDEX "UsedAssertion_expiresAt_idx" ON "UsedAssertion"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "SigningKey_activeSlot_key" ON "SigningKey"("activeSlot");

-- CreateIndex
CREATE INDEX "SigningKey_state_idx" ON "SigningKey"("state");

-- CreateIndex
CREATE UNIQUE INDEX "AuditEntry_id_key" ON "AuditEntry"("id");

-- CreateIndex
CREATE UNIQUE INDEX "AuditEntry_hash_key" ON "AuditEntry"("hash");

-- CreateIndex
CREATE INDEX "AuditEntry_at_idx" ON "AuditEntry"("at");

-- CreateIndex
CREATE INDEX "AuditEntry_event_at_idx" ON "AuditEntry"("event", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_actorId_at_idx" ON "AuditEntry"("actorId", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_targetId_at_idx" ON "AuditEntry"("targetId", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_applicationId_at_idx" ON "AuditEntry"("applicationId", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_requestId_idx" ON "AuditEntry"("requestId");

-- CreateIndex
CREATE INDEX "AuditEntry_decisionId_idx" ON "AuditEntry"("decisionId");

-- CreateIndex
CREATE UNIQUE INDEX "OutboxMessage_dedupeKey_key" ON "OutboxMessage"("dedupeKey");

-- CreateIndex
CREATE INDEX "OutboxMessage_deliveredAt_nextAttemptAt_idx" ON "OutboxMessage"("deliveredAt", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "RateCounter_expiresAt_idx" ON "RateCounter"("expiresAt");

-- CreateIndex
CREATE INDEX "IdempotencyRecord_expiresAt_idx" ON "IdempotencyRecord"("expiresAt");

-- The audit log is append-only, whoever asks.
CREATE TRIGGER "AuditEntry_refuse_update" BEFORE UPDATE ON "AuditEntry"
BEGIN SELECT RAISE(ABORT, 'audit entries are append-only'); END;
CREATE TRIGGER "AuditEntry_refuse_delete" BEFORE DELETE ON "AuditEntry"
BEGIN SELECT RAISE(ABORT, 'audit entries are append-only'); END;

-- The two rows that are only ever updated.
INSERT INTO "PolicyVersion" ("id", "version") VALUES (1, 1);
INSERT INTO "AuditHead" ("id", "seq", "hash") VALUES (1, 0, '');
