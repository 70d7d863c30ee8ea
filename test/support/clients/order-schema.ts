import { z } from 'zod';

/** A typical schema of a program with zod 4. Its texts are limited, so that a small model completes it. */
export const ORDER = z.object({
  id: z.string().startsWith('order_').max(12),
  to: z.email().max(30),
  prices: z.record(z.enum(['net', 'gross']), z.number().min(0).max(100)),
  stock: z.record(z.string().max(5), z.int().min(-9).max(9)),
  rating: z.number().gt(0).lte(1),
  count: z.int().positive().max(20).multipleOf(5),
  payment: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('card'), last4: z.string().regex(/^\d{4}$/) }),
    z.object({ kind: z.literal('cash'), change: z.number().nonnegative().max(50) }),
  ]),
  note: z.string().max(8).nullable(),
  sent: z.iso.date(),
});
