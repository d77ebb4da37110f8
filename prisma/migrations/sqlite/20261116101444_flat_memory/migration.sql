-- DropIndex
DROP INDEX "Assignment_roleId_idx";

-- CreateTable
CREATE TABLE "ApplicationOrigin" (
    "origin" TEXT NOT NULL,
    "applicationId" TEXT NOT NULL,

    PRIMARY KEY ("origin", "applicationId"),
    CONSTRAINT "ApplicationOrigin_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ApplicationOrigin_applicationId_idx" ON "ApplicationOrigin"("applicationId");

-- CreateIndex
CREATE INDEX "Assignment_roleId_userId_idx" ON "Assignment"("roleId", "userId");

-- CreateIndex
CREATE INDEX "Assignment_instance_idx" ON "Assignment"("instance");

-- What applications have registered so far.
INSERT INTO "ApplicationOrigin" ("origin", "applicationId")
SELECT DISTINCT o.value, a."id" FROM "Application" a, json_each(a."origins") o;
