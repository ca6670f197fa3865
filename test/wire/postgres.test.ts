import { describeTranscripts } from './play-transcripts.ts';
import { postgresVariants } from './variants.ts';

for (const variant of postgresVariants) describeTranscripts(variant);
