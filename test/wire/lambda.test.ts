import { describeTranscripts } from './play-transcripts.ts';
import { lambdaVariants } from './variants.ts';

for (const variant of lambdaVariants) describeTranscripts(variant);
