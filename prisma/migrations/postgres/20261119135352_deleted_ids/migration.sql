-- CreateTable
CREATE TABLE "DeletedId" (
    "id" TEXT NOT NULL,
    "deletedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "DeletedId_pkey" PRIMARY KEY ("id")
);

-- What was deleted before this table existed, as far as the audit log still says so
INSERT INTO "DeletedId" ("id", "deletedAt")
SELECT "targetId", MIN("at") FROM "AuditEntry"
WHERE "event" IN ('application.deleted', 'access_key.deleted', 'user.deleted', 'account.erased')
  AND "targetId" IS NOT NULL
GROUP BY "targetId";
