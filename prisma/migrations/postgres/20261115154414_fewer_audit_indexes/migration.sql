-- DropIndex
DROP INDEX "AuditEntry_hash_key";
