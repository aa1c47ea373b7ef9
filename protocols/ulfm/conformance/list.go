package conformance

// Cases are all of them, in the order of their suites.
var Cases = []*Case{
	&mpichDie, &mpichAbort,
	&mpichSendAlive, &mpichIsendAlive, &mpichMultiIsendAlive, &mpichSendDead, &mpichRecvDead, &mpichIsendDead, &mpichIrecvDead,
	&mpichBarrier, &mpichGather, &mpichReduce, &mpichBcast, &mpichScatter,
	&mpichAnySource, &mpichFailureAck,
	&mpichRevokeNoFail, &mpichShrink, &mpichAgree, &mpichAgreeShrink, &mpichRevokeShrink, &mpichNbccoll,

	&apiInitErrhInfo, &apiBindings, &apiErrReturns, &apiErrHandler, &apiErrAny, &apiErrInsulation, &apiGetAck,
	&apiRevoke, &apiRevShrink, &apiRevShrinkKill, &apiBuddycr, &apiErrReturnsF, &apiRevShrinkKillRecover, &apiShrink,

	&stressConnectAccept, &stressIsendErr, &stressKillNode, &stressPingPairs, &stressSleep, &stressSpawn,

	&tutorialNoft, &tutorialErrReturns, &tutorialErrHandler, &tutorialUndisturbed, &tutorialIfError, &tutorialErrColl, &tutorialErrCommDup,
	&tutorialGrid, &tutorialErrAnySrc, &tutorialErrIanySrc, &tutorialErrInsulation, &tutorialRespawn, &tutorialRespawnReorder, &tutorialBuddycr, &tutorialTransactions,
	&exerciseErrReturns, &exerciseErrHandler, &exerciseErrHandlerHint, &exerciseIfError, &exerciseErrCommDup, &exerciseGrid, &exerciseErrAnySrc,

	&tasksBlankC, &tasksBlankFortran, &tasksShrinkC, &tasksShrinkFortran, &tasksStartC, &tasksStartFortran,

	&jacobiNoFT, &jacobiBckpt,

	&moreGetFailed, &moreBenchAgree, &moreBenchIshrink, &moreBenchRevoke, &moreBenchRecvAny, &moreRecvDeadlock, &moreSpares,
}
