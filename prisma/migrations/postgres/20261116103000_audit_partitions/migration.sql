-- CreateIndex
CREATE INDEX "User_adminRole_idx" ON "User"("adminRole");

-- CreateIndex
CREATE INDEX "User_disabledAt_idx" ON "User"("disabledAt");

-- CreateIndex
CREATE INDEX "TotpCredential_confirmedAt_createdAt_idx" ON "TotpCredential"("confirmedAt", "createdAt");

-- CreateIndex
CREATE INDEX "TrustedDevice_expiresAt_idx" ON "TrustedDevice"("expiresAt");

-- CreateIndex
CREATE INDEX "OutboxMessage_failedAt_idx" ON "OutboxMessage"("failedAt");

-- CreateTable
CREATE TABLE "ActivityDay" (
    "day" TEXT NOT NULL,
    "counted" JSONB NOT NULL,

    CONSTRAINT "ActivityDay_pkey" PRIMARY KEY ("day")
);

-- The audit log, one partition for each month.
ALTER TABLE "AuditEntry" RENAME TO "AuditEntry_before";
DROP TRIGGER "AuditEntry_refuse_change" ON "AuditEntry_before";
ALTER TABLE "AuditEntry_before" DROP CONSTRAINT "AuditEntry_pkey";
DROP INDEX "AuditEntry_id_key", "AuditEntry_at_idx", "AuditEntry_event_at_idx",
  "AuditEntry_actorId_at_idx", "AuditEntry_targetId_at_idx", "AuditEntry_applicationId_at_idx",
  "AuditEntry_requestId_idx", "AuditEntry_decisionId_idx";

CREATE TABLE "AuditEntry" (
    "seq" BIGINT NOT NULL,
    "id" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
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
) PARTITION BY RANGE ("at");

-- For an entry whose month has no partition yet.
CREATE TABLE "AuditEntry_default" PARTITION OF "AuditEntry" DEFAULT;

-- Entries that came before their partition move into it. Attaching, unlike creating it in place,
-- lets others read and append meanwhile.
CREATE FUNCTION "make_audit_partition"("month" TIMESTAMP) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "from" TIMESTAMP := date_trunc('month', "month");
  "until" TIMESTAMP := date_trunc('month', "month") + INTERVAL '1 month';
  "name" TEXT := 'AuditEntry_' || to_char("month", 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('AuditEntry'));
  IF to_regclass(format('%I', "name")) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE "AuditEntry" INCLUDING ALL)', "name");
  IF EXISTS (SELECT 1 FROM "AuditEntry_default" WHERE "at" >= "from" AND "at" < "until") THEN
    LOCK TABLE "AuditEntry_default" IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE "AuditEntry_default" DISABLE TRIGGER USER;
    EXECUTE format('WITH "moved" AS (DELETE FROM "AuditEntry_default" WHERE "at" >= $1 AND "at" < $2
      RETURNING *) INSERT INTO %I SELECT * FROM "moved"', "name") USING "from", "until";
    ALTER TABLE "AuditEntry_default" ENABLE TRIGGER USER;
  END IF;
  EXECUTE format('ALTER TABLE "AuditEntry" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    "name", "from", "until");
  EXECUTE format('CREATE TRIGGER "AuditEntry_refuse_truncate" BEFORE TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"()', "name");
END $$;

-- The months that have entries, this one and the next two.
DO $$
DECLARE
  "month" TIMESTAMP;
BEGIN
  FOR "month" IN
    SELECT generate_series(date_trunc('month', min("at")), date_trunc('month', max("at")), '1 month')
    FROM "AuditEntry_before"
    UNION SELECT date_trunc('month', (now() AT TIME ZONE 'UTC')) + "n" * INTERVAL '1 month'
    FROM generate_series(0, 2) AS "n"
  LOOP
    PERFORM "make_audit_partition"("month");
  END LOOP;
END $$;

INSERT INTO "AuditEntry" SELECT "seq", "id", "at", "event", "result", "actorKind", "actorId",
  "targetKind", "targetId", "applicationId", "ip", "requestId", "decisionId", "detail",
  "previousHash", "hash" FROM "AuditEntry_before";
DROP TABLE "AuditEntry_before";

ALTER TABLE "AuditEntry" ADD CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("seq", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_id_idx" ON "AuditEntry"("id");

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
CREATE INDEX "AuditEntry_ip_at_idx" ON "AuditEntry"("ip", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_requestId_idx" ON "AuditEntry"("requestId");

-- CreateIndex
CREATE INDEX "AuditEntry_decisionId_idx" ON "AuditEntry"("decisionId");

-- CreateIndex
CREATE INDEX "AuditEntry_result_at_idx" ON "AuditEntry"("result", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_actorKind_at_idx" ON "AuditEntry"("actorKind", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_targetKind_at_idx" ON "AuditEntry"("targetKind", "at");

-- Append-only, whoever asks; every partition takes this over from its parent.
CREATE TRIGGER "AuditEntry_refuse_change" BEFORE UPDATE OR DELETE ON "AuditEntry"
FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "AuditEntry_refuse_truncate" BEFORE TRUNCATE ON "AuditEntry"
FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "AuditEntry_refuse_truncate" BEFORE TRUNCATE ON "AuditEntry_default"
FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
