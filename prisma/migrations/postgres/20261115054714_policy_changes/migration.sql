-- CreateTable
CREATE TABLE "PolicyChange" (
    "version" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "PolicyChange_pkey" PRIMARY KEY ("version","kind","id")
);
