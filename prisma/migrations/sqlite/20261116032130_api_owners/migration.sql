-- CreateTable
CREATE TABLE "ApiIntrospector" (
    "apiId" TEXT NOT NULL,
    "applicationId" TEXT NOT NULL,

    PRIMARY KEY ("apiId", "applicationId"),
    CONSTRAINT "ApiIntrospector_apiId_fkey" FOREIGN KEY ("apiId") REFERENCES "Api" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApiIntrospector_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "Application" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApiOwner" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "apiId" TEXT NOT NULL,
    "userId" TEXT,
    "groupId" TEXT,
    CONSTRAINT "ApiOwner_apiId_fkey" FOREIGN KEY ("apiId") REFERENCES "Api" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApiOwner_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApiOwner_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable (written by hand: redefining the table would drop it, and what refers to it with it)
ALTER TABLE "Api" ADD COLUMN "openToAppManagers" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "ApiIntrospector_applicationId_idx" ON "ApiIntrospector"("applicationId");

-- CreateIndex
CREATE INDEX "ApiOwner_userId_idx" ON "ApiOwner"("userId");

-- CreateIndex
CREATE INDEX "ApiOwner_groupId_idx" ON "ApiOwner"("groupId");

-- CreateIndex
CREATE UNIQUE INDEX "ApiOwner_apiId_userId_key" ON "ApiOwner"("apiId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "ApiOwner_apiId_groupId_key" ON "ApiOwner"("apiId", "groupId");

-- CreateIndex
CREATE INDEX "Application_ownerId_idx" ON "Application"("ownerId");

-- Until now every machine of an API's space could introspect its tokens: each is named now.
INSERT INTO "ApiIntrospector" ("apiId", "applicationId")
SELECT "Api"."id", "Application"."id" FROM "Api"
JOIN "Application" ON "Application"."spaceId" = "Api"."spaceId" AND "Application"."kind" = 'machine';
