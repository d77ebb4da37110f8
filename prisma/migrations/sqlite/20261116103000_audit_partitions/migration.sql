-- CreateTable
CREATE TABLE "ActivityDay" (
    "day" TEXT NOT NULL PRIMARY KEY,
    "counted" JSONB NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_AuditEntry" (
    "seq" BIGINT NOT NULL,
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
    "hash" TEXT NOT NULL,

    PRIMARY KEY ("seq", "at")
);
INSERT INTO "new_AuditEntry" ("actorId", "actorKind", "applicationId", "at", "decisionId", "detail", "event", "hash", "id", "ip", "previousHash", "requestId", "result", "seq", "targetId", "targetKind") SELECT "actorId", "actorKind", "applicationId", "at", "decisionId", "detail", "event", "hash", "id", "ip", "previousHash", "requestId", "result", "seq", "targetId", "targetKind" FROM "AuditEntry";
DROP TABLE "AuditEntry";
ALTER TABLE "new_AuditEntry" RENAME TO "AuditEntry";
CREATE INDEX "AuditEntry_id_idx" ON "AuditEntry"("id");
CREATE INDEX "AuditEntry_at_idx" ON "AuditEntry"("at");
CREATE INDEX "AuditEntry_event_at_idx" ON "AuditEntry"("event", "at");
CREATE INDEX "AuditEntry_actorId_at_idx" ON "AuditEntry"("actorId", "at");
CREATE INDEX "AuditEntry_targetId_at_idx" ON "AuditEntry"("targetId", "at");
CREATE INDEX "AuditEntry_applicationId_at_idx" ON "AuditEntry"("applicationId", "at");
CREATE INDEX "AuditEntry_ip_at_idx" ON "AuditEntry"("ip", "at");
CREATE INDEX "AuditEntry_requestId_idx" ON "AuditEntry"("requestId");
CREATE INDEX "AuditEntry_decisionId_idx" ON "AuditEntry"("decisionId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "OutboxMessage_failedAt_idx" ON "OutboxMessage"("failedAt");

-- CreateIndex
CREATE INDEX "TotpCredential_confirmedAt_createdAt_idx" ON "TotpCredential"("confirmedAt", "createdAt");

-- CreateIndex
CREATE INDEX "TrustedDevice_expiresAt_idx" ON "TrustedDevice"("expiresAt");

-- CreateIndex
CREATE INDEX "User_adminRole_idx" ON "User"("adminRole");

-- CreateIndex
CREATE INDEX "User_disabledAt_idx" ON "User"("disabledAt");

-- CreateIndex
CREATE INDEX "AuditEntry_result_at_idx" ON "AuditEntry"("result", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_actorKind_at_idx" ON "AuditEntry"("actorKind", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_targetKind_at_idx" ON "AuditEntry"("targetKind", "at");

-- Append-only, whoever asks; only what is behind the foot of the chain may go.
CREATE TRIGGER "AuditEntry_refuse_update" BEFORE UPDATE ON "AuditEntry"
BEGIN SELECT RAISE(ABORT, 'audit entries are append-only'); END;
CREATE TRIGGER "AuditEntry_refuse_delete" BEFORE DELETE ON "AuditEntry"
WHEN OLD."seq" > coalesce((SELECT "seq" FROM "AuditHead" WHERE "id" = 2), 0)
BEGIN SELECT RAISE(ABORT, 'audit entries are append-only'); END;
