import fc from 'fast-check';

// Every run tries the same cases; FUZZ_SEED looks at others.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_260_105) });
