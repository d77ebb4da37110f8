-- CreateTable
CREATE TABLE "PolicyChange" (
    "version" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,

    PRIMARY KEY ("version", "kind", "id")
);
