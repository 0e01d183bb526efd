// The part of LLVM's C++ API that the C API does not reach, as plain C functions: pass registration, options, ScalarEvolution, loops, dominators,
// aliasing, target facts, remarks. No decisions are taken here: they are Rust's. Every function is `lw_...`; Rust declares them in `llvm/ffi.rs`.

#include "complex_products.h"
#include "context.h"
#include "joined_steps.h"
#include "known_phis.h"
#include "second_exits.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/GenericDomTreeConstruction.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace llvm;
using namespace loopwright;

namespace {

/// Fills in `Dead`, `Anew` and `Live`.
void findSideExits(Context &C) {
  SmallVector<BasicBlock *, 16> Work;
  DenseMap<BasicBlock *, unsigned> Open;
  for (BasicBlock &B : C.F) {
    unsigned Ways = unsigned(succ_size(&B));
    Open[&B] = Ways;
    if (Ways == 0 && isa<UnreachableInst, ResumeInst>(B.getTerminator()))
      Work.push_back(&B);
  }
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    C.Dead.insert(B);
    for (BasicBlock *P : predecessors(B))
      if (--Open[P] == 0)
        Work.push_back(P);
  }
  findComplexProducts(C.F, C.LI, C.DT, C.SE, C.Anew, C.StoresAnew);
  SmallVector<DominatorTree::UpdateType, 16> Cuts;
  for (BasicBlock &B : C.F) {
    SmallPtrSet<BasicBlock *, 4> Seen;
    for (BasicBlock *S : successors(&B))
      if (C.isSideExit(&B, S) && Seen.insert(S).second)
        Cuts.push_back({DominatorTree::Delete, &B, S});
  }
  if (Cuts.empty())
    return;
  C.Live = std::make_unique<PostDominatorTree>(C.F);
  // Of the graph as it would be; the function stays as it is.
  using Builder = DomTreeBuilder::SemiNCAInfo<DomTreeBuilder::BBPostDomTree>;
  GraphDiff<BasicBlock *, true> View(Cuts);
  Builder::BatchUpdateInfo Update(View, &View);
  Builder::CalculateFromScratch(*C.Live, &Update);
}

} // namespace

// Callbacks into Rust. They arrive as function pointers, so that the library exports nothing but its entry point.
extern "C" struct LwCallbacks {
  /// Runs the pass of this name (parameters included) on a function. Returns whether the IR changed.
  bool (*run)(void *context, const char *name, size_t length);
  /// Is the name (parameters included) one of ours, and well formed? What is wrong with it is said on stderr.
  bool (*accepts)(const char *name, size_t length);
};

namespace {

LwCallbacks Callbacks;

/// Marks functions for OneLanePass, which takes it away.
constexpr StringLiteral HasOurLoops = "loopwright-loops";

struct LoopwrightPass : PassInfoMixin<LoopwrightPass> {
  /// With parameters: `loopwright<tile=32>`.
  std::string Name;

  /// Does OneLanePass follow?
  bool Repaired;

  LoopwrightPass(StringRef Name, bool Repaired) : Name(Name), Repaired(Repaired) {}

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (FAM.getResult<LoopAnalysis>(F).empty())
      return PreservedAnalyses::all();
    Context C{F,
              FAM.getResult<ScalarEvolutionAnalysis>(F),
              FAM.getResult<LoopAnalysis>(F),
              FAM.getResult<DominatorTreeAnalysis>(F),
              FAM.getResult<PostDominatorTreeAnalysis>(F),
              {},
              {},
              false,
              nullptr,
              FAM.getResult<AAManager>(F),
              FAM.getResult<TargetIRAnalysis>(F),
              FAM.getResult<TargetLibraryAnalysis>(F),
              FAM.getResult<OptimizationRemarkEmitterAnalysis>(F)};
    findSideExits(C);
    bool Changed = Callbacks.run(&C, Name.data(), Name.size());
    if (Changed && Repaired)
      F.addFnAttr(HasOurLoops);
    // What was done last is undone first.
    bool Undone = partSteps(F, /*Undo=*/!Changed);
    Undone |= leaveWhereTheyLeft(F, /*Undo=*/!Changed);
    return Changed || Undone ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) {
    OS << Name;
  }

  static bool isRequired() { return false; }
};

/// LLVM 22 for x86 stores too much where a truncated vector is stored under a constant mask with one lane: that lane, as wide as it was before. Its vectoriser makes such stores of the ends of short
/// loops, and so do our last lanes where sizes are constants. In functions with loops of ours they become what they are: stores of one cell.
struct OneLanePass : PassInfoMixin<OneLanePass> {
  static constexpr StringLiteral Name = "loopwright-one-lane";

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    if (!F.hasFnAttribute(HasOurLoops))
      return PreservedAnalyses::all();
    F.removeFnAttr(HasOurLoops);
    SmallVector<std::pair<IntrinsicInst *, unsigned>> Stores;
    for (Instruction &I : instructions(F))
      if (auto *Store = dyn_cast<IntrinsicInst>(&I); Store && Store->getIntrinsicID() == Intrinsic::masked_store)
        if (auto Lane = onlyLane(Store->getArgOperand(2)))
          Stores.push_back({Store, *Lane});
    for (auto [Store, Lane] : Stores) {
      IRBuilder<> B(Store);
      Value *Cell = B.CreateExtractElement(Store->getArgOperand(0), Lane);
      Value *To = B.CreateConstGEP1_64(Cell->getType(), Store->getArgOperand(1), Lane);
      uint64_t Offset = Lane * F.getDataLayout().getTypeStoreSize(Cell->getType());
      StoreInst *One = B.CreateAlignedStore(Cell, To, commonAlignment(Store->getParamAlign(1).valueOrOne(), Offset));
      One->copyMetadata(*Store, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_access_group});
      Store->eraseFromParent();
    }
    return Stores.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }

  /// The lane that runs, if all lanes are known, and it is one.
  static std::optional<unsigned> onlyLane(Value *Mask) {
    auto *Lanes = dyn_cast<Constant>(Mask);
    auto *Type = dyn_cast<FixedVectorType>(Mask->getType());
    std::optional<unsigned> Only;
    for (unsigned K = 0; Lanes && Type && K < Type->getNumElements(); ++K) {
      Constant *Lane = Lanes->getAggregateElement(K);
      if (!Lane || (!Lane->isOneValue() && !Lane->isNullValue()) || (Lane->isOneValue() && Only))
        return std::nullopt;
      if (Lane->isOneValue())
        Only = K;
    }
    return Only;
  }

  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) { OS << Name; }

  static bool isRequired() { return false; }
};

/// SimplifyCFG has taken preheaders away, and values leave loops without phis. LLVM's next pass after us, loop rotation, puts both right in the same way: we need
/// it one pass earlier.
void addPass(FunctionPassManager &FPM, StringRef Name, bool Repaired) {
  FPM.addPass(SecondExitsPass());
  FPM.addPass(JoinedStepsPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(LoopwrightPass(Name, Repaired));
}

/// Do we run at this level?
bool isOurs(OptimizationLevel Level) { return Level.getSpeedupLevel() >= 2 && Level.getSizeLevel() == 0; }

/// Narrow integers in lanes of 32 bits: how wide they are, and which operands have signs.
struct Parts {
  unsigned Bits;
  bool Signed[2];
};

/// An operation on all parts of two operands.
struct DotOperation {
  Intrinsic::ID Id = Intrinsic::not_intrinsic;
  /// Does it add a sum, too?
  bool HasSum = true;
  /// Does it take the second operand first?
  bool IsSwapped = false;
};

/// That on vectors of so many bits that the function may use.
DotOperation dotOperation(const Function &F, uint64_t Bits, Parts P) {
  StringRef Features = F.getFnAttribute("target-features").getValueAsString();
  SmallVector<StringRef, 64> All;
  Features.split(All, ',');
  auto Has = [&](StringRef Feature) { return is_contained(All, Feature); };
  const Triple &Target = F.getParent()->getTargetTriple();
  auto [First, Second] = P.Signed;
  // The operand with sign is the second one where they differ.
  bool IsMixed = First != Second, IsSwapped = IsMixed && First;
  if (Target.isAArch64() && P.Bits == 8 && Bits == 128) {
    if (IsMixed && Has("+i8mm"))
      return {Intrinsic::aarch64_neon_usdot, true, IsSwapped};
    if (!IsMixed && Has("+dotprod"))
      return {First ? Intrinsic::aarch64_neon_sdot : Intrinsic::aarch64_neon_udot};
  }
  if (!Target.isX86())
    return {};
  bool Short = (Has("+avx512vnni") && Has("+avx512vl")) || Has("+avxvnni");
  bool Pairs = P.Bits == 16 && First && Second, Mixed = P.Bits == 8 && IsMixed;
  bool Alike = P.Bits == 8 && !IsMixed && Has("+avxvnniint8");
  struct {
    uint64_t Bits;
    bool Has;
    DotOperation Operation;
  } Operations[] = {
      {512, Pairs && Has("+avx512vnni"), {Intrinsic::x86_avx512_vpdpwssd_512}},
      {512, Pairs && Has("+avx512bw"), {Intrinsic::x86_avx512_pmaddw_d_512, false}},
      {256, Pairs && Short, {Intrinsic::x86_avx512_vpdpwssd_256}},
      {256, Pairs && Has("+avx2"), {Intrinsic::x86_avx2_pmadd_wd, false}},
      {128, Pairs && Short, {Intrinsic::x86_avx512_vpdpwssd_128}},
      {128, Pairs && Has("+sse2"), {Intrinsic::x86_sse2_pmadd_wd, false}},
      {512, Mixed && Has("+avx512vnni"), {Intrinsic::x86_avx512_vpdpbusd_512, true, IsSwapped}},
      {256, Mixed && Short, {Intrinsic::x86_avx512_vpdpbusd_256, true, IsSwapped}},
      {128, Mixed && Short, {Intrinsic::x86_avx512_vpdpbusd_128, true, IsSwapped}},
      {256, Alike, {First ? Intrinsic::x86_avx2_vpdpbssd_256 : Intrinsic::x86_avx2_vpdpbuud_256}},
      {128, Alike, {First ? Intrinsic::x86_avx2_vpdpbssd_128 : Intrinsic::x86_avx2_vpdpbuud_128}},
  };
  for (auto &O : Operations)
    if (O.Bits == Bits && O.Has)
      return O.Operation;
  return {};
}

std::vector<std::unique_ptr<cl::opt<std::string>>> &options() {
  static std::vector<std::unique_ptr<cl::opt<std::string>>> O;
  return O;
}

size_t copyOut(StringRef Text, char *Out, size_t Capacity) {
  size_t N = std::min(Text.size(), Capacity);
  std::memcpy(Out, Text.data(), N);
  return Text.size();
}

} // namespace

extern "C" {

// ---- registration and options -------------------------------------------------------------------------------------------------------------

void lw_register(void *Builder, const LwCallbacks *Table) {
  Callbacks = *Table;
  auto &PB = *static_cast<PassBuilder *>(Builder);
  PB.registerPipelineParsingCallback([](StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
    if (Name == OneLanePass::Name) {
      FPM.addPass(OneLanePass());
      return true;
    }
    if (Name == SecondExitsPass::Name) {
      FPM.addPass(SecondExitsPass());
      return true;
    }
    if (Name == JoinedStepsPass::Name) {
      FPM.addPass(JoinedStepsPass());
      return true;
    }
    if (!Callbacks.accepts(Name.data(), Name.size()))
      return false;
    addPass(FPM, Name, false);
    return true;
  });
  PB.registerVectorizerStartEPCallback([](FunctionPassManager &FPM, OptimizationLevel Level) {
    if (isOurs(Level))
      addPass(FPM, "loopwright", true);
  });
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
    if (isOurs(Level))
      MPM.addPass(createModuleToFunctionPassAdaptor(OneLanePass()));
  });
  PB.registerFullLinkTimeOptimizationLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    if (isOurs(Level))
      MPM.addPass(createModuleToFunctionPassAdaptor(OneLanePass()));
  });
}

/// Defines `-loopwright-NAME`; texts must live for ever.
void lw_define_option(const char *Name, const char *Help) {
  options().push_back(
      std::make_unique<cl::opt<std::string>>(StringRef(Name), cl::desc(Help), cl::ValueOptional, cl::Hidden));
}

/// Value of the option with this number if it was given, else null.
const char *lw_option_value(size_t Index) {
  auto &O = *options()[Index];
  return O.getNumOccurrences() ? O.getValue().c_str() : nullptr;
}

void lw_error(void *C, const char *Text, size_t Length) {
  static_cast<Context *>(C)->F.getContext().emitError(StringRef(Text, Length));
}

void lw_print(const char *Text, size_t Length) { errs() << StringRef(Text, Length); }

// ---- function -----------------------------------------------------------------------------------------------------------------------------

LLVMValueRef lw_function(void *C) { return wrap(&static_cast<Context *>(C)->F); }

/// Operations that sums of products of all parts of two vectors of so many bits take; 0: no machine operation does it.
unsigned lw_dot_operations(void *C, unsigned Bits, unsigned Part, bool FirstSigned, bool SecondSigned) {
  DotOperation O = dotOperation(static_cast<Context *>(C)->F, Bits, {Part, {FirstSigned, SecondSigned}});
  return O.Id == Intrinsic::not_intrinsic ? 0 : O.HasSum ? 1 : 2;
}

unsigned lw_attribute(void *C, const char *Name, size_t Length, char *Out, unsigned Capacity) {
  Attribute A = static_cast<Context *>(C)->F.getFnAttribute(StringRef(Name, Length));
  return A.isValid() ? unsigned(copyOut(A.getValueAsString(), Out, Capacity)) : 0;
}

bool lw_wants_no_optimization(void *C) {
  Function &F = static_cast<Context *>(C)->F;
  // Who forbids vectors that are not in the source does not want ours.
  return F.hasOptNone() || F.hasOptSize() || F.hasMinSize() || F.isPresplitCoroutine() || F.hasFnAttribute(Attribute::StrictFP) ||
         F.hasFnAttribute(Attribute::NoImplicitFloat);
}

bool lw_broken(LLVMValueRef F, char *Out, size_t Capacity) {
  std::string Text;
  raw_string_ostream OS(Text);
  bool Broken = verifyFunction(*unwrap<Function>(F), &OS);
  if (Capacity) {
    size_t N = copyOut(Text, Out, Capacity - 1);
    Out[std::min(N, Capacity - 1)] = 0;
  }
  return Broken;
}

/// Turns stack slots into SSA values, with dominators computed anew.
void lw_promote(LLVMValueRef F, LLVMValueRef *Slots, size_t Count) {
  DominatorTree DT(*unwrap<Function>(F));
  std::vector<AllocaInst *> Allocas;
  for (size_t I = 0; I != Count; ++I)
    if (auto *A = dyn_cast<AllocaInst>(unwrap(Slots[I])); A && isAllocaPromotable(A))
      Allocas.push_back(A);
  PromoteMemToReg(Allocas, DT);
}

/// Moves the terminator of a block into a new block behind it; phis of the successors follow. The old block ends in a plain branch to the new one.
LLVMBasicBlockRef lw_split(LLVMBasicBlockRef B) {
  BasicBlock *Block = unwrap(B);
  return wrap(Block->splitBasicBlock(Block->getTerminator()->getIterator(), Block->getName() + ".lw.original"));
}

/// Undoes `lw_split`. The block before must end in a plain branch to this one.
void lw_unsplit(LLVMBasicBlockRef B) { MergeBlockIntoPredecessor(unwrap(B)); }

/// Removes blocks that nothing outside of them reaches any more, with the declarations of intrinsics that only they used.
void lw_delete_blocks(LLVMBasicBlockRef *Blocks, size_t Count) {
  for (size_t I = 0; I != Count; ++I)
    for (BasicBlock *S : successors(unwrap(Blocks[I])))
      for (PHINode &Phi : S->phis())
        if (int At = Phi.getBasicBlockIndex(unwrap(Blocks[I])); At >= 0)
          Phi.removeIncomingValue(unsigned(At), false);
  SmallSetVector<Function *, 8> Intrinsics;
  for (size_t I = 0; I != Count; ++I)
    for (Instruction &Inst : *unwrap(Blocks[I]))
      if (auto *Call = dyn_cast<IntrinsicInst>(&Inst))
        Intrinsics.insert(Call->getCalledFunction());
  for (size_t I = 0; I != Count; ++I)
    unwrap(Blocks[I])->dropAllReferences();
  for (size_t I = 0; I != Count; ++I) {
    for (Instruction &Inst : *unwrap(Blocks[I]))
      if (!Inst.use_empty())
        Inst.replaceAllUsesWith(PoisonValue::get(Inst.getType()));
  }
  for (size_t I = 0; I != Count; ++I)
    unwrap(Blocks[I])->eraseFromParent();
  for (Function *F : Intrinsics)
    if (F->use_empty())
      F->eraseFromParent();
}

static bool isScalar(Type *T) { return T->isIntegerTy() || T->isFloatingPointTy(); }

// ---- products in sums -----------------------------------------------------------------------------------------------------------------------

/// What the back end knows of the processor that a function is compiled for; null if there is no such back end.
static std::unique_ptr<MCSubtargetInfo> subtarget(const Function &F) {
  const Triple &For = F.getParent()->getTargetTriple();
  std::string Error;
  const Target *Known = TargetRegistry::lookupTarget(For, Error);
  if (!Known)
    return nullptr;
  return std::unique_ptr<MCSubtargetInfo>(Known->createMCSubtargetInfo(
      For, F.getFnAttribute("target-cpu").getValueAsString(), F.getFnAttribute("target-features").getValueAsString()));
}

/// Does the back end make one operation of a product and a sum of this type where it may? (`TargetLowering::isFMAFasterThanFMulAndFAdd`, which passes cannot ask, for x86-64
/// and AArch64.) -1: not known.
int lw_fuses(void *C, LLVMTypeRef T) {
  Function &F = static_cast<Context *>(C)->F;
  const Triple &For = F.getParent()->getTargetTriple();
  Type *Element = unwrap(T);
  if (!For.isX86() && !For.isAArch64())
    return -1;
  const char *Feature;
  if (For.isX86())
    Feature = Element->isHalfTy() ? "+avx512fp16" : Element->isFloatTy() || Element->isDoubleTy() ? "+fma" : nullptr;
  else
    Feature = Element->isHalfTy() ? "+fullfp16" : Element->isFloatTy() || Element->isDoubleTy() ? "+neon" : nullptr;
  std::unique_ptr<MCSubtargetInfo> Info = subtarget(F);
  if (!Info)
    return -1;
  if (!Feature)
    return 0;
  return Info->checkFeatures(Feature) || (StringRef(Feature) == "+fma" && Info->checkFeatures("+fma4"));
}

/// Does the back end fuse a product with what is taken from it for scalars, and for vectors only if it pays, and if what is taken is no product itself? (`AArch64InstrInfo`, `getFMAPatterns`.)
bool lw_fuses_by_width(void *C) { return static_cast<Context *>(C)->F.getParent()->getTargetTriple().isAArch64(); }

/// May the back end make a product one operation with each of several sums? (`TargetLowering::enableAggressiveFMAFusion`; only where the machine combiner is not asked, at `-O2`.)
bool lw_fuses_shared(void *C) {
  Function &F = static_cast<Context *>(C)->F;
  if (!F.getParent()->getTargetTriple().isAArch64())
    return false;
  std::unique_ptr<MCSubtargetInfo> Info = subtarget(F);
  return !Info || Info->checkFeatures("+aggressive-fma");
}

/// Is it a product and a sum that the back end may make one operation (`llvm.fmuladd`)?
bool lw_is_muladd(LLVMValueRef V) {
  auto *I = dyn_cast<IntrinsicInst>(unwrap(V));
  return I && I->getIntrinsicID() == Intrinsic::fmuladd && isScalar(I->getType());
}

/// `llvm.fmuladd` of other operands as what it becomes: one operation, or two that stay apart. LLVM would decide anew where operands have become constants, and round otherwise.
LLVMValueRef lw_muladd(LLVMBuilderRef Builder, LLVMValueRef V, bool Fused, LLVMValueRef X, LLVMValueRef Y, LLVMValueRef Z) {
  IRBuilder<> &B = *unwrap(Builder);
  IRBuilder<>::FastMathFlagGuard Guard(B);
  FastMathFlags Flags = cast<FPMathOperator>(unwrap(V))->getFastMathFlags();
  Flags.setAllowContract(false);
  B.setFastMathFlags(Flags);
  if (Fused)
    return wrap(B.CreateIntrinsic(Intrinsic::fma, {unwrap(X)->getType()}, {unwrap(X), unwrap(Y), unwrap(Z)}));
  return wrap(B.CreateFAdd(B.CreateFMul(unwrap(X), unwrap(Y)), unwrap(Z)));
}

/// Would a back end that fuses do so with this product and its user? It may, and the product has no other use and stands in the sum's block. Where sums may be
/// reassociated nothing is promised.
static bool isFusible(const Value *V, const Instruction &Sum) {
  auto *Product = dyn_cast<Instruction>(V);
  return Product && Product->getOpcode() == Instruction::FMul && Product->hasAllowContract() && !Product->hasAllowReassoc() && Product->hasOneUse() &&
         Product->getParent() == Sum.getParent();
}

/// The operand of a sum or difference that such a back end makes one operation with it (of two, the first: `DAGCombiner::visitFADDForFMACombine`), or -1.
int lw_fused_operand(LLVMValueRef V) {
  auto *Sum = dyn_cast<Instruction>(unwrap(V));
  if (!Sum || (Sum->getOpcode() != Instruction::FAdd && Sum->getOpcode() != Instruction::FSub) || !Sum->hasAllowContract() || Sum->hasAllowReassoc())
    return -1;
  return isFusible(Sum->getOperand(0), *Sum) ? 0 : isFusible(Sum->getOperand(1), *Sum) ? 1 : -1;
}

/// The sum or difference as one operation with the product of `X` and `Y`, its operand `At`; `Z` is the other one. Scalars or vectors.
LLVMValueRef lw_fused(LLVMBuilderRef Builder, LLVMValueRef Sum, unsigned At, LLVMValueRef X, LLVMValueRef Y, LLVMValueRef Z) {
  IRBuilder<> &B = *unwrap(Builder);
  Value *Factor = unwrap(X), *Rest = unwrap(Z);
  if (unwrap<Instruction>(Sum)->getOpcode() == Instruction::FSub)
    (At == 0 ? Rest : Factor) = B.CreateFNeg(At == 0 ? Rest : Factor);
  return wrap(B.CreateIntrinsic(Intrinsic::fma, {Factor->getType()}, {Factor, unwrap(Y), Rest}));
}

/// Is it a product that the program's back end could fuse with a sum, but does not?
static bool isKeptApart(const Instruction &I) {
  if (I.getOpcode() != Instruction::FMul || !I.hasAllowContract())
    return false;
  if (!I.hasOneUse())
    return true;
  // A phi of its own block brings it to the next iteration. What is stored comes back to a sum where the loads of new code are near enough for LLVM to see it.
  auto *User = cast<Instruction>(*I.user_begin());
  while (User->getOpcode() == Instruction::FNeg && User->hasOneUse())
    User = cast<Instruction>(*User->user_begin());
  return isa<PHINode, StoreInst>(User) || User->getParent() != I.getParent();
}

/// Is it a phi that brings a product from one iteration to a sum in the next? The back end fuses them in the copies that LLVM makes of the loop's body when it unrolls, and in no others.
bool lw_carries_a_product(LLVMValueRef V) {
  auto *Phi = dyn_cast<PHINode>(unwrap(V));
  if (!Phi)
    return false;
  auto MayFuse = [](const User *U) {
    auto *I = cast<Instruction>(U);
    return isa<PHINode>(I) || ((I->getOpcode() == Instruction::FAdd || I->getOpcode() == Instruction::FSub) && I->hasAllowContract());
  };
  if (none_of(Phi->users(), MayFuse))
    return false;
  for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K) {
    auto *Product = dyn_cast<Instruction>(Phi->getIncomingValue(K));
    if (Product && Product->getOpcode() == Instruction::FMul && Product->hasAllowContract() && all_of(Product->users(), IsaPred<PHINode>) &&
        Product->getParent() == Phi->getIncomingBlock(K) && Product->getParent() == Phi->getParent())
      return true;
  }
  return false;
}

/// Is it a product with a sum or difference with one, which the back end may distribute: `(x + 1) * y` as `fma(x, y, y)`? It does so where there are no infinities
/// (`DAGCombiner::visitFMULForFMADistributiveCombine`), a flag that copies do not have.
bool lw_may_be_distributed(LLVMValueRef V) {
  auto *Product = dyn_cast<Instruction>(unwrap(V));
  if (!Product || Product->getOpcode() != Instruction::FMul || !Product->hasNoInfs())
    return false;
  return any_of(Product->operands(), [](const Value *Factor) {
    auto *Sum = dyn_cast<Instruction>(Factor);
    return Sum && (Sum->getOpcode() == Instruction::FAdd || Sum->getOpcode() == Instruction::FSub) && any_of(Sum->operands(), [](const Value *X) {
             auto *One = dyn_cast<ConstantFP>(X);
             return One && (One->isExactlyValue(1.0) || One->isExactlyValue(-1.0));
           });
  });
}

/// A product that the program's back end does not fuse must not be fused in new code, where it may have a single use in the block of its sum. That products may be fused is a
/// property of the whole function, which flags do not change: a fence keeps them apart.
LLVMValueRef lw_fused_as_before(LLVMBuilderRef B, LLVMValueRef Copy, LLVMValueRef V) {
  if (!isKeptApart(*unwrap<Instruction>(V)))
    return Copy;
  return wrap(unwrap(B)->CreateArithmeticFence(unwrap(Copy), unwrap(Copy)->getType()));
}

/// A copy of an instruction without poison flags and without metadata that was true only in its old place; debug location kept. Not inserted.
LLVMValueRef lw_clone(LLVMValueRef V) {
  Instruction *I = unwrap<Instruction>(V)->clone();
  I->dropPoisonGeneratingAnnotations();
  SmallVector<std::pair<unsigned, MDNode *>, 4> All;
  I->getAllMetadataOtherThanDebugLoc(All);
  for (auto &[Kind, Node] : All)
    if (Kind != LLVMContext::MD_fpmath)
      I->setMetadata(Kind, nullptr);
  return wrap(I);
}

// ---- vectors ------------------------------------------------------------------------------------------------------------------------------

/// May a copy, as `lw_clone` makes it, be poison or undefined although its operands are not?
bool lw_may_be_undefined(LLVMValueRef V) {
  auto *Op = dyn_cast<Operator>(unwrap(V));
  return !Op || canCreateUndefOrPoison(Op, /*ConsiderFlagsAndMetadata=*/false);
}

/// Do copies of both, as `lw_clone` makes them, compute the same function of their operands, rounded alike?
bool lw_same_operation(LLVMValueRef A, LLVMValueRef B) {
  auto *I = dyn_cast<Instruction>(unwrap(A)), *J = dyn_cast<Instruction>(unwrap(B));
  if (!I || !J || !I->isSameOperationAs(J))
    return false;
  if (isKeptApart(*I) != isKeptApart(*J) || lw_fused_operand(A) != lw_fused_operand(B))
    return false;
  return !isa<FPMathOperator>(I) || I->hasSameSubclassOptionalData(J); // fast-math flags
}

/// Are both loads of cells that lie one behind the other?
bool lw_loads_neighbours(LLVMValueRef A, LLVMValueRef B) {
  auto *I = dyn_cast<LoadInst>(unwrap(A)), *J = dyn_cast<LoadInst>(unwrap(B));
  if (!I || !J || I->getType() != J->getType())
    return false;
  const DataLayout &Layout = I->getDataLayout();
  std::optional<int64_t> Apart = J->getPointerOperand()->getPointerOffsetFrom(I->getPointerOperand(), Layout);
  TypeSize Size = Layout.getTypeStoreSize(I->getType());
  return Apart && !Size.isScalable() && (*Apart == int64_t(Size.getFixedValue()) || *Apart == -int64_t(Size.getFixedValue()));
}

/// Is there an operation that does this one on every lane of vectors?
bool lw_widens(LLVMValueRef V) {
  auto *I = dyn_cast<Instruction>(unwrap(V));
  if (!I || !isScalar(I->getType()))
    return false;
  if (auto *Call = dyn_cast<IntrinsicInst>(I)) {
    if (!isTriviallyVectorizable(Call->getIntrinsicID()))
      return false;
    return all_of(Call->args(), [](const Use &U) { return isScalar(U->getType()); });
  }
  if (!isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(I))
    return false;
  return all_of(I->operands(), [](const Use &U) { return isScalar(U->getType()); });
}

/// Must this operand stay a scalar when the operation is widened?
bool lw_wants_scalar(LLVMValueRef V, unsigned Index) {
  auto *Call = dyn_cast<IntrinsicInst>(unwrap(V));
  return Call && (Index >= Call->arg_size() || isVectorIntrinsicWithScalarOpAtArg(Call->getIntrinsicID(), Index, nullptr));
}

/// The operation (see `lw_widens`) on vectors, without poison flags and metadata, as `lw_clone` has it; at the builder's place. A call's operands end with
/// the callee, which is not looked at.
LLVMValueRef lw_widen(LLVMBuilderRef Builder, LLVMValueRef V, LLVMValueRef *Operands, size_t Count, unsigned Width) {
  auto *I = unwrap<Instruction>(V);
  SmallVector<Value *, 4> Ops;
  for (size_t K = 0; K != Count; ++K)
    Ops.push_back(unwrap(Operands[K]));
  Type *Result = FixedVectorType::get(I->getType(), Width);
  Instruction *New;
  if (auto *B = dyn_cast<BinaryOperator>(I))
    New = BinaryOperator::Create(B->getOpcode(), Ops[0], Ops[1]);
  else if (auto *U = dyn_cast<UnaryOperator>(I))
    New = UnaryOperator::Create(U->getOpcode(), Ops[0]);
  else if (auto *C = dyn_cast<CastInst>(I))
    New = CastInst::Create(C->getOpcode(), Ops[0], Result);
  else if (auto *C = dyn_cast<CmpInst>(I))
    New = CmpInst::Create(C->getOpcode(), C->getPredicate(), Ops[0], Ops[1]);
  else if (isa<SelectInst>(I))
    New = SelectInst::Create(Ops[0], Ops[1], Ops[2]);
  else if (isa<FreezeInst>(I))
    New = new FreezeInst(Ops[0]);
  else {
    auto *Call = cast<IntrinsicInst>(I);
    Intrinsic::ID Id = Call->getIntrinsicID();
    Ops.resize(Call->arg_size());
    SmallVector<Type *, 2> Types;
    if (isVectorIntrinsicWithOverloadTypeAtArg(Id, -1, nullptr))
      Types.push_back(Result);
    for (unsigned K = 0; K != Ops.size(); ++K)
      if (isVectorIntrinsicWithOverloadTypeAtArg(Id, int(K), nullptr))
        Types.push_back(Ops[K]->getType());
    New = CallInst::Create(Intrinsic::getOrInsertDeclaration(I->getModule(), Id, Types), Ops);
  }
  New->copyIRFlags(I);
  New->dropPoisonGeneratingAnnotations();
  if (MDNode *Accuracy = I->getMetadata(LLVMContext::MD_fpmath))
    New->setMetadata(LLVMContext::MD_fpmath, Accuracy);
  unwrap(Builder)->Insert(New);
  return wrap(New);
}

/// What a vector library (`-fveclib`) has for a call on so many lanes, with its type, if each of its parameters is a vector. (None is masked that has a fixed number of lanes.)
static std::optional<std::pair<const VecDesc *, FunctionType *>> vectorForm(void *C, const CallInst &Call, unsigned Lanes) {
  Function *F = Call.getCalledFunction();
  if (!F || Call.isNoBuiltin() || Call.hasOperandBundles())
    return std::nullopt;
  const VecDesc *Form = static_cast<Context *>(C)->TLI.getVectorMappingInfo(F->getName(), ElementCount::getFixed(Lanes), /*Masked=*/false);
  if (!Form)
    return std::nullopt;
  std::optional<VFInfo> Info = VFABI::tryDemangleForVFABI(Form->getVectorFunctionABIVariantString(), Call.getFunctionType());
  if (!Info || !all_of(Info->Shape.Parameters, [](const VFParameter &P) { return P.ParamKind == VFParamKind::Vector; }))
    return std::nullopt;
  FunctionType *Type = VFABI::createFunctionType(*Info, Call.getFunctionType());
  // The program may have something else of that name.
  GlobalValue *Old = F->getParent()->getNamedValue(Form->getVectorFnName());
  if (Old && (!isa<Function>(Old) || Old->getValueType() != Type))
    return std::nullopt;
  return std::pair(Form, Type);
}

/// Has a vector library a function that does the call on so many lanes, and does the program take any result (`afn`)?
bool lw_has_vector_form(void *C, LLVMValueRef V, unsigned Lanes) {
  auto *Call = dyn_cast<IntrinsicInst>(unwrap(V));
  if (!Call || !isa<FPMathOperator>(Call) || !Call->hasApproxFunc() || !lw_widens(V))
    return false;
  auto StaysScalar = [&](const Use &U) { return lw_wants_scalar(V, U.getOperandNo()); };
  return none_of(Call->args(), StaysScalar) && vectorForm(C, *Call, Lanes);
}

/// Calls that function (see `lw_has_vector_form`), declared as LLVM's `InjectTLIMappings` does it. `New` gets the declaration if it was not there.
LLVMValueRef lw_call_vector_form(LLVMBuilderRef Builder, void *C, LLVMValueRef V, LLVMValueRef *Operands, unsigned Lanes, LLVMValueRef *New) {
  auto *Call = unwrap<CallInst>(V);
  auto [Form, Type] = *vectorForm(C, *Call, Lanes);
  Module *M = Call->getModule();
  Function *F = M->getFunction(Form->getVectorFnName());
  if (!F) {
    F = Function::Create(Type, Function::ExternalLinkage, Form->getVectorFnName(), M);
    F->copyAttributesFrom(Call->getCalledFunction());
    if (auto Convention = Form->getCallingConv())
      F->setCallingConv(*Convention);
    *New = wrap(F);
  }
  SmallVector<Value *, 4> Arguments;
  for (unsigned K = 0; K != Type->getNumParams(); ++K)
    Arguments.push_back(unwrap(Operands[K]));
  CallInst *Wide = unwrap(Builder)->CreateCall(F, Arguments);
  Wide->setCallingConv(F->getCallingConv());
  Wide->copyFastMathFlags(Call);
  // As `lw_clone` has it.
  Wide->dropPoisonGeneratingAnnotations();
  return wrap(Wide);
}

/// `Sum`, and the products of all parts of `A` and `B` added to it or subtracted, in each lane of 32 bits, modulo 2^32.
LLVMValueRef lw_dot(LLVMBuilderRef Builder, LLVMValueRef Sum, LLVMValueRef A, LLVMValueRef B, unsigned Part, bool FirstSigned,
                    bool SecondSigned, bool Less) {
  IRBuilder<> &Build = *unwrap(Builder);
  Value *S = unwrap(Sum), *Operands[] = {unwrap(A), unwrap(B)};
  Parts P = {Part, {FirstSigned, SecondSigned}};
  auto *Vector = dyn_cast<FixedVectorType>(S->getType());
  const Function &F = *Build.GetInsertBlock()->getParent();
  DotOperation O = Vector ? dotOperation(F, Vector->getNumElements() * 32, P) : DotOperation();
  auto To = [&](Value *Products) { return wrap(Less ? Build.CreateSub(S, Products) : Build.CreateAdd(S, Products)); };
  if (O.Id == Intrinsic::not_intrinsic) {
    Value *Products = nullptr;
    for (unsigned Place = 0; Place != 32; Place += Part) {
      Value *Terms[2];
      for (unsigned K : {0, 1}) {
        Value *High = Build.CreateShl(Operands[K], 32 - Part - Place);
        Terms[K] = P.Signed[K] ? Build.CreateAShr(High, 32 - Part) : Build.CreateLShr(High, 32 - Part);
      }
      Value *Product = Build.CreateMul(Terms[0], Terms[1]);
      Products = Products ? Build.CreateAdd(Products, Product) : Product;
    }
    return To(Products);
  }
  if (O.IsSwapped)
    std::swap(Operands[0], Operands[1]);
  auto *Narrow = FixedVectorType::get(Build.getIntNTy(Part), Vector->getNumElements() * (32 / Part));
  SmallVector<Type *, 2> Overloads;
  if (F.getParent()->getTargetTriple().isAArch64())
    Overloads = {Vector, Narrow};
  FunctionType *Type = Intrinsic::getType(Build.getContext(), O.Id, Overloads);
  SmallVector<Value *, 3> Arguments;
  if (O.HasSum)
    Arguments.push_back(Less ? Constant::getNullValue(Vector) : S);
  for (Value *Operand : Operands)
    Arguments.push_back(Build.CreateBitCast(Operand, Type->getParamType(Arguments.size())));
  Value *Products = Build.CreateIntrinsic(O.Id, Overloads, Arguments);
  return O.HasSum && !Less ? wrap(Products) : To(Products);
}

LLVMValueRef lw_splat(LLVMBuilderRef B, LLVMValueRef V, unsigned Width) { return wrap(unwrap(B)->CreateVectorSplat(Width, unwrap(V))); }

/// The type in which vectors go to and from memory under masks: LLVM's instruction selection for AArch64 knows no masked loads and stores of bfloat.
LLVMTypeRef lw_masked_type(LLVMTypeRef T) {
  auto *Vector = cast<FixedVectorType>(unwrap(T));
  if (!Vector->getElementType()->isBFloatTy())
    return T;
  return wrap(FixedVectorType::get(Type::getInt16Ty(Vector->getContext()), Vector->getNumElements()));
}

/// Lanes that are off are zero.
LLVMValueRef lw_masked_load(LLVMBuilderRef B, LLVMTypeRef T, LLVMValueRef P, unsigned Alignment, LLVMValueRef Mask) {
  return wrap(unwrap(B)->CreateMaskedLoad(unwrap(T), unwrap(P), Align(Alignment), unwrap(Mask), Constant::getNullValue(unwrap(T))));
}

LLVMValueRef lw_masked_store(LLVMBuilderRef B, LLVMValueRef V, LLVMValueRef P, unsigned Alignment, LLVMValueRef Mask) {
  return wrap(unwrap(B)->CreateMaskedStore(unwrap(V), unwrap(P), Align(Alignment), unwrap(Mask)));
}

/// The same address, of which scalar evolution knows nothing.
LLVMValueRef lw_opaque_address(LLVMBuilderRef B, LLVMValueRef P) { return wrap(unwrap(B)->CreateStripInvariantGroup(unwrap(P))); }

/// The same address in another register, of which no pass knows that it is.
LLVMValueRef lw_distinct_address(LLVMBuilderRef B, LLVMValueRef P) {
  Type *Pointer = unwrap(P)->getType();
  auto *Copy = InlineAsm::get(FunctionType::get(Pointer, {Pointer}, false), "", "=r,0", /*hasSideEffects=*/false);
  CallInst *Call = unwrap(B)->CreateCall(Copy, {unwrap(P)});
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  return wrap(Call);
}

/// Whatever is wanted later leaves the sixteen vector registers of AVX2: numbers that LLVM takes out of loops, too.
void lw_vacate_registers(LLVMBuilderRef B) {
  IRBuilder<> &Builder = *unwrap(B);
  if (Builder.GetInsertBlock()->getModule()->getTargetTriple().getArch() != Triple::x86_64)
    return;
  std::string Registers;
  for (int I = 0; I < 16; ++I)
    Registers += (I ? ",~{xmm" : "~{xmm") + std::to_string(I) + "}";
  auto *Nothing = InlineAsm::get(FunctionType::get(Builder.getVoidTy(), false), "", Registers, /*hasSideEffects=*/true);
  CallInst *Call = Builder.CreateCall(Nothing);
  // It must stay where it is, but memory that others access is none of its business.
  Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
}

/// True, which LLVM knows only when it makes machine code.
LLVMValueRef lw_late_true(LLVMBuilderRef B) {
  IRBuilder<> &Builder = *unwrap(B);
  LLVMContext &Ctx = Builder.getContext();
  return wrap(Builder.CreateIntrinsic(Intrinsic::allow_runtime_check, {}, {MetadataAsValue::get(Ctx, MDString::get(Ctx, "loopwright"))}));
}

void lw_prefetch(LLVMBuilderRef B, LLVMValueRef P, int First) {
  IRBuilder<> &Builder = *unwrap(B);
  Type *Pointer = unwrap(P)->getType();
  // For reading, though it will be written: a line that nobody else has comes the same way, and Zen 5 waits less for it (measured on products: 3 to 7 %). Of most use later, data.
  Builder.CreateIntrinsic(Intrinsic::prefetch, {Pointer}, {unwrap(P), Builder.getInt32(0), Builder.getInt32(First ? 3 : 2), Builder.getInt32(1)});
}

/// Lanes that are off are zero.
LLVMValueRef lw_gather(LLVMBuilderRef B, LLVMTypeRef T, LLVMValueRef P, unsigned Alignment, LLVMValueRef Mask) {
  return wrap(unwrap(B)->CreateMaskedGather(unwrap(T), unwrap(P), Align(Alignment), unwrap(Mask), Constant::getNullValue(unwrap(T))));
}

LLVMValueRef lw_scatter(LLVMBuilderRef B, LLVMValueRef V, LLVMValueRef P, unsigned Alignment, LLVMValueRef Mask) {
  return wrap(unwrap(B)->CreateMaskedScatter(unwrap(V), unwrap(P), Align(Alignment), unwrap(Mask)));
}

// ---- heap ---------------------------------------------------------------------------------------------------------------------------------

/// May the function call `malloc` and `free`?
int lw_may_allocate(void *C) {
  auto &Ctx = *static_cast<Context *>(C);
  Module *M = Ctx.F.getParent();
  StringRef Own = Ctx.F.getName();
  if (Own == "malloc" || Own == "free" || Own == "calloc" || Own == "realloc" || Ctx.F.hasFnAttribute(Attribute::Speculatable) || Ctx.F.hasGC())
    return 0;
  // `[[nonblocking]]`, `[[nonallocating]]`: checked at run time.
  if (Ctx.F.hasFnAttribute(Attribute::SanitizeRealtime) || Ctx.F.hasFnAttribute(Attribute::SanitizeRealtimeBlocking))
    return 0;
  // There is no heap, whatever the library's table says.
  if (M->getTargetTriple().isBPF())
    return 0;
  // Calls in funclets would need operand bundles.
  if (Ctx.F.hasPersonalityFn() && isScopedEHPersonality(classifyEHPersonality(Ctx.F.getPersonalityFn())))
    return 0;
  if (Ctx.TLI.getSizeTSize(*M) != 64 || !isLibFuncEmittable(M, &Ctx.TLI, LibFunc_malloc) || !isLibFuncEmittable(M, &Ctx.TLI, LibFunc_free))
    return 0;
  Function *HadMalloc = M->getFunction(Ctx.TLI.getName(LibFunc_malloc)), *HadFree = M->getFunction(Ctx.TLI.getName(LibFunc_free));
  // An allocator of the program's own may use the code that is compiled here.
  return !((HadMalloc && !HadMalloc->isDeclaration()) || (HadFree && !HadFree->isDeclaration()));
}

/// `malloc` and `free`, if the function may call them. 0: no; else bit 0, with bits 1 and 2 when the declarations are new.
unsigned lw_allocator(void *C, LLVMValueRef *Malloc, LLVMValueRef *Free) {
  if (!lw_may_allocate(C))
    return 0;
  auto &Ctx = *static_cast<Context *>(C);
  Module *M = Ctx.F.getParent();
  LLVMContext &Types = M->getContext();
  StringRef MallocName = Ctx.TLI.getName(LibFunc_malloc), FreeName = Ctx.TLI.getName(LibFunc_free);
  Function *HadMalloc = M->getFunction(MallocName), *HadFree = M->getFunction(FreeName);
  auto *Pointer = PointerType::get(Types, 0);
  FunctionCallee Get = getOrInsertLibFunc(M, Ctx.TLI, LibFunc_malloc, FunctionType::get(Pointer, {Type::getInt64Ty(Types)}, false));
  FunctionCallee Give = getOrInsertLibFunc(M, Ctx.TLI, LibFunc_free, FunctionType::get(Type::getVoidTy(Types), {Pointer}, false));
  inferNonMandatoryLibFuncAttrs(M, MallocName, Ctx.TLI);
  inferNonMandatoryLibFuncAttrs(M, FreeName, Ctx.TLI);
  *Malloc = wrap(Get.getCallee());
  *Free = wrap(Give.getCallee());
  return 1u | (HadMalloc ? 0 : 2) | (HadFree ? 0 : 4);
}

/// Removes a declaration that nothing uses.
void lw_drop_declaration(LLVMValueRef F) {
  if (auto *Function = dyn_cast<llvm::Function>(unwrap(F)); Function && Function->isDeclaration() && Function->use_empty())
    Function->eraseFromParent();
}

/// From now on the function asks for memory: takes away what it says to the contrary.
void lw_allocates(LLVMValueRef F) {
  auto *Function = unwrap<llvm::Function>(F);
  for (auto Kind : {Attribute::Memory, Attribute::NoFree, Attribute::NoSync, Attribute::NoCallback})
    Function->removeFnAttr(Kind);
}

/// From now on the function may also read where it only wrote: what it has written itself, but LLVM is told nothing about that.
void lw_reads_what_it_writes(LLVMValueRef F) {
  auto *Function = unwrap<llvm::Function>(F);
  for (Argument &Arg : Function->args())
    Arg.removeAttr(Attribute::WriteOnly);
  if (!Function->hasFnAttribute(Attribute::Memory))
    return;
  MemoryEffects Effects = Function->getMemoryEffects();
  for (IRMemLocation Where : MemoryEffects::locations())
    if (isModSet(Effects.getModRef(Where)))
      Effects |= MemoryEffects(Where, ModRefInfo::Ref);
  Function->setMemoryEffects(Effects);
}

/// Vectors of so many bits are to be kept in registers of that width where there are any, whatever width the function prefers: as intrinsics of that
/// width would have it. (x86; no attribute means the same.)
void lw_require_vector_width(LLVMValueRef F, unsigned Bits) {
  auto *Function = unwrap<llvm::Function>(F);
  Attribute A = Function->getFnAttribute("min-legal-vector-width");
  unsigned Old;
  if (A.isValid() && !A.getValueAsString().getAsInteger(0, Old) && Old < Bits)
    Function->addFnAttr("min-legal-vector-width", utostr(Bits));
}

/// Debug location of what the builder makes from now on: that of an instruction, or none.
void lw_set_debug_location(LLVMBuilderRef Builder, LLVMValueRef From) {
  if (auto *I = dyn_cast_or_null<Instruction>(unwrap(From)))
    unwrap(Builder)->SetCurrentDebugLocation(I->getDebugLoc());
  else
    unwrap(Builder)->SetCurrentDebugLocation(DebugLoc());
}

/// A new alias domain (`Domain` null) or a new scope in one.
LLVMMetadataRef lw_alias_node(LLVMContextRef Ctx, LLVMMetadataRef Domain) {
  MDBuilder B(*unwrap(Ctx));
  if (!Domain)
    return wrap(B.createAnonymousAliasScopeDomain("loopwright"));
  return wrap(B.createAnonymousAliasScope(cast<MDNode>(unwrap(Domain))));
}

/// Says that a scope begins here: whoever copies what follows, as in unrolled loops around it, gives each copy scopes of its own.
void lw_declare_scope(LLVMBuilderRef B, LLVMMetadataRef Scope) {
  IRBuilder<> &Builder = *unwrap(B);
  Builder.CreateNoAliasScopeDeclaration(MDNode::get(Builder.getContext(), {unwrap(Scope)}));
}

/// A new access group: the memory accesses that a loop without dependences between iterations names as such.
LLVMMetadataRef lw_access_group(LLVMContextRef Ctx) { return wrap(MDNode::getDistinct(*unwrap(Ctx), {})); }

/// Can the value be neither undefined nor poison?
bool lw_is_defined(LLVMValueRef V) { return isGuaranteedNotToBeUndefOrPoison(unwrap(V)); }

// ---- target -------------------------------------------------------------------------------------------------------------------------------

unsigned lw_vector_bits(void *C) {
  return unsigned(static_cast<Context *>(C)->TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
}

// Does the machine load and store elements of vectors of this type under a mask?
bool lw_has_masks(void *C, LLVMTypeRef Vector, unsigned Alignment) {
  auto &TTI = static_cast<Context *>(C)->TTI;
  auto *Type = unwrap(Vector);
  return TTI.isLegalMaskedLoad(Type, Align(Alignment), 0) && TTI.isLegalMaskedStore(Type, Align(Alignment), 0);
}

// Does the machine store the elements of such vectors each to an address of its own?
bool lw_has_scatters(void *C, LLVMTypeRef Vector, unsigned Alignment) {
  auto &TTI = static_cast<Context *>(C)->TTI;
  auto *Type = llvm::cast<llvm::VectorType>(unwrap(Vector));
  return TTI.isLegalMaskedScatter(Type, Align(Alignment)) && !TTI.forceScalarizeMaskedScatter(Type, Align(Alignment));
}

unsigned lw_vector_registers(void *C) {
  auto &TTI = static_cast<Context *>(C)->TTI;
  return TTI.getNumberOfRegisters(TTI.getRegisterClassForType(true));
}

// ---- loops --------------------------------------------------------------------------------------------------------------------------------

static Loop *loop(void *L) { return static_cast<Loop *>(L); }
static LLVMBasicBlockRef block(BasicBlock *B) { return B ? wrap(B) : nullptr; }

void *lw_loop_for(void *C, LLVMBasicBlockRef B) { return static_cast<Context *>(C)->LI.getLoopFor(unwrap(B)); }
void *lw_loop_parent(void *L) { return loop(L)->getParentLoop(); }
unsigned lw_loop_depth(void *L) { return loop(L)->getLoopDepth(); }
LLVMBasicBlockRef lw_loop_header(void *L) { return block(loop(L)->getHeader()); }
LLVMBasicBlockRef lw_loop_preheader(void *L) { return block(loop(L)->getLoopPreheader()); }
LLVMBasicBlockRef lw_loop_latch(void *L) { return block(loop(L)->getLoopLatch()); }

/// Calls back with the edges that leave a loop, side exits left out.
static void forExits(void *C, void *L, function_ref<void(BasicBlock *, BasicBlock *)> Found) {
  for (BasicBlock *B : loop(L)->blocks())
    for (BasicBlock *S : successors(B))
      if (!loop(L)->contains(S) && !static_cast<Context *>(C)->isSideExit(B, S))
        Found(B, S);
}

LLVMBasicBlockRef lw_loop_exiting(void *C, void *L) {
  SmallPtrSet<BasicBlock *, 4> All;
  forExits(C, L, [&](BasicBlock *From, BasicBlock *) { All.insert(From); });
  return All.size() == 1 ? block(*All.begin()) : nullptr;
}

LLVMBasicBlockRef lw_loop_exit(void *C, void *L) {
  SmallPtrSet<BasicBlock *, 4> All;
  forExits(C, L, [&](BasicBlock *, BasicBlock *To) { All.insert(To); });
  return All.size() == 1 ? block(*All.begin()) : nullptr;
}

bool lw_loop_contains(void *L, LLVMBasicBlockRef B) { return loop(L)->contains(unwrap(B)); }
bool lw_loop_is_innermost(void *L) { return loop(L)->isInnermost(); }

static const MDNode *findProperty(const Loop *L, StringRef Name) {
  MDNode *Id = L->getLoopID();
  if (!Id)
    return nullptr;
  for (const MDOperand &Op : drop_begin(Id->operands()))
    if (auto *N = dyn_cast<MDNode>(Op); N && N->getNumOperands())
      if (auto *S = dyn_cast<MDString>(N->getOperand(0)); S && S->getString() == Name)
        return N;
  return nullptr;
}

/// Has the loop the property: present, and not a false boolean?
bool lw_loop_property(void *L, const char *Name, size_t Length) {
  const MDNode *N = findProperty(loop(L), StringRef(Name, Length));
  if (!N)
    return false;
  if (N->getNumOperands() == 2)
    if (auto *V = mdconst::dyn_extract<ConstantInt>(N->getOperand(1)))
      return !V->isZero();
  return true;
}

/// Has the loop the property with the value false?
bool lw_loop_property_is_false(void *L, const char *Name, size_t Length) {
  const MDNode *N = findProperty(loop(L), StringRef(Name, Length));
  if (!N || N->getNumOperands() != 2)
    return false;
  auto *V = mdconst::dyn_extract<ConstantInt>(N->getOperand(1));
  return V && V->isZero();
}

/// Adds a property, with a value if `Value` is not null, to the loop whose latch ends in this branch; the id stays distinct.
void lw_mark_latch(LLVMValueRef Terminator, const char *Name, size_t Length, LLVMMetadataRef Value) {
  auto *T = unwrap<Instruction>(Terminator);
  LLVMContext &Ctx = T->getContext();
  SmallVector<Metadata *, 8> Ops{nullptr};
  if (MDNode *Old = T->getMetadata(LLVMContext::MD_loop))
    for (const MDOperand &Op : drop_begin(Old->operands()))
      Ops.push_back(Op);
  SmallVector<Metadata *, 2> Property{MDString::get(Ctx, StringRef(Name, Length))};
  if (Value)
    Property.push_back(unwrap(Value));
  Ops.push_back(MDNode::get(Ctx, Property));
  MDNode *Id = MDNode::getDistinct(Ctx, Ops);
  Id->replaceOperandWith(0, Id);
  T->setMetadata(LLVMContext::MD_loop, Id);
}

/// How often a branch goes either way. Not in functions with a profile: what is said to be rare there is compiled for size.
void lw_weigh_branch(LLVMValueRef F, LLVMValueRef Branch, unsigned Yes, unsigned No) {
  auto *B = unwrap<Instruction>(Branch);
  if (unwrap<Function>(F)->hasProfileData())
    return;
  B->setMetadata(LLVMContext::MD_prof, MDBuilder(B->getContext()).createBranchWeights(Yes, No));
}

void lw_location(void *L, LLVMBasicBlockRef B, unsigned *Line, unsigned *Column) {
  DebugLoc D = L ? loop(L)->getStartLoc() : DebugLoc();
  if (!D && B)
    for (Instruction &I : *unwrap(B))
      if ((D = I.getDebugLoc()))
        break;
  *Line = D ? D.getLine() : 0;
  *Column = D ? D.getCol() : 0;
}

// ---- dominators ---------------------------------------------------------------------------------------------------------------------------

LLVMBasicBlockRef lw_idom(void *C, LLVMBasicBlockRef B) {
  auto *N = static_cast<Context *>(C)->DT.getNode(unwrap(B));
  return N && N->getIDom() ? block(N->getIDom()->getBlock()) : nullptr;
}

static PostDominatorTree &live(void *C) {
  auto *Ctx = static_cast<Context *>(C);
  return Ctx->Live ? *Ctx->Live : Ctx->PDT;
}

/// If no side exit is taken.
LLVMBasicBlockRef lw_ipdom(void *C, LLVMBasicBlockRef B) {
  auto *N = live(C).getNode(unwrap(B));
  return N && N->getIDom() ? block(N->getIDom()->getBlock()) : nullptr;
}

bool lw_dominates(void *C, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
  return static_cast<Context *>(C)->DT.dominates(unwrap(A), unwrap(B));
}

/// If no side exit is taken.
bool lw_post_dominates(void *C, LLVMBasicBlockRef A, LLVMBasicBlockRef B) { return live(C).dominates(unwrap(A), unwrap(B)); }

/// Whatever happens.
bool lw_is_certain(void *C, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
  return static_cast<Context *>(C)->PDT.dominates(unwrap(A), unwrap(B));
}

/// May this be loaded at the end of a block although the program may never load it?
bool lw_may_load_at_end(void *C, LLVMValueRef Load, LLVMBasicBlockRef B) {
  auto *L = dyn_cast<LoadInst>(unwrap(Load));
  if (!L || !L->isSimple() || mustSuppressSpeculation(*L))
    return false;
  const DominatorTree &DT = static_cast<Context *>(C)->DT;
  return isDereferenceableAndAlignedPointer(L->getPointerOperand(), L->getType(), L->getAlign(), L->getDataLayout(),
                                            unwrap(B)->getTerminator(), nullptr, &DT);
}

bool lw_is_side_exit(void *C, LLVMBasicBlockRef From, LLVMBasicBlockRef To) {
  return static_cast<Context *>(C)->isSideExit(unwrap(From), unwrap(To));
}

/// Is a product of complex numbers computed anew behind the end of a block?
bool lw_may_compute_anew(void *C, LLVMBasicBlockRef B) {
  return any_of(successors(unwrap(B)), [&](BasicBlock *To) { return static_cast<Context *>(C)->Anew.contains(To); });
}

/// Does the program store something where that is done?
bool lw_stores_aside(void *C) { return static_cast<Context *>(C)->StoresAnew; }

bool lw_is_aside(void *C, LLVMBasicBlockRef B) { return static_cast<Context *>(C)->isAside(unwrap(B)); }

bool lw_edge_dominates(void *C, LLVMBasicBlockRef From, LLVMBasicBlockRef To, LLVMBasicBlockRef B) {
  return static_cast<Context *>(C)->DT.dominates(BasicBlockEdge(unwrap(From), unwrap(To)), unwrap(B));
}

// ---- scalar evolution ---------------------------------------------------------------------------------------------------------------------

static const SCEV *scev(const void *S) { return static_cast<const SCEV *>(S); }
static ScalarEvolution &se(void *C) { return static_cast<Context *>(C)->SE; }
static const void *computable(const SCEV *S) { return isa<SCEVCouldNotCompute>(S) ? nullptr : S; }

const void *lw_scev(void *C, LLVMValueRef V) {
  Value *Val = unwrap(V);
  if (!se(C).isSCEVable(Val->getType()))
    return nullptr;
  const SCEV *S = se(C).getSCEV(Val);
  return isa<SCEVCouldNotCompute>(S) ? nullptr : withKnownPhis(*static_cast<Context *>(C), S);
}

/// The expression of a value in a block: loops that do not hold the block are over.
const void *lw_scev_behind(void *C, LLVMValueRef V, LLVMBasicBlockRef B) {
  auto &Of = *static_cast<Context *>(C);
  auto *Known = static_cast<const SCEV *>(lw_scev(C, V));
  if (!Known)
    return nullptr;
  const SCEV *S = Of.SE.getSCEVAtScope(Known, Of.LI.getLoopFor(unwrap(B)));
  return isa<SCEVCouldNotCompute>(S) ? nullptr : withKnownPhis(Of, S);
}

/// How often the back edge is taken, exactly, if the loop is left by no side exit. What is known of a loop's only exit says more than what is known of one among
/// several.
const void *lw_backedge_taken(void *C, void *L) {
  if (loop(L)->getExitingBlock())
    return computable(se(C).getBackedgeTakenCount(loop(L)));
  LLVMBasicBlockRef Exiting = lw_loop_exiting(C, L);
  return Exiting ? computable(se(C).getExitCount(loop(L), unwrap(Exiting))) : nullptr;
}

unsigned lw_scev_kind(const void *S) {
  // Our own numbers, so that Rust does not depend on the order of LLVM's.
  switch (scev(S)->getSCEVType()) {
  case scConstant: return 0;
  case scTruncate: return 1;
  case scZeroExtend: return 2;
  case scSignExtend: return 3;
  case scAddExpr: return 4;
  case scMulExpr: return 5;
  case scUDivExpr: return 6;
  case scAddRecExpr: return 7;
  case scUMaxExpr: return 8;
  case scSMaxExpr: return 9;
  case scUMinExpr: return 10;
  case scSMinExpr: return 11;
  case scSequentialUMinExpr: return 12;
  case scUnknown: return 13;
  default: return 14;
  }
}

size_t lw_scev_operand_count(const void *S) { return scev(S)->operands().size(); }
const void *lw_scev_operand(const void *S, size_t I) { return scev(S)->operands()[I]; }
void *lw_scev_loop(const void *S) { return const_cast<Loop *>(cast<SCEVAddRecExpr>(scev(S))->getLoop()); }
LLVMValueRef lw_scev_value(const void *S) { return wrap(cast<SCEVUnknown>(scev(S))->getValue()); }

/// Bit 0: no signed wrap; bit 1: no unsigned wrap.
unsigned lw_scev_flags(const void *S) {
  auto *N = dyn_cast<SCEVNAryExpr>(scev(S));
  return N ? unsigned(N->hasNoSignedWrap()) | unsigned(N->hasNoUnsignedWrap()) << 1 : 0;
}

/// Width in bits; pointers have the width of their index type.
unsigned lw_scev_bits(void *C, const void *S) { return unsigned(se(C).getTypeSizeInBits(scev(S)->getType())); }
bool lw_scev_is_pointer(const void *S) { return scev(S)->getType()->isPointerTy(); }

bool lw_scev_constant(const void *S, int64_t *Out) {
  auto *K = dyn_cast<SCEVConstant>(scev(S));
  if (!K || K->getAPInt().getSignificantBits() > 64)
    return false;
  *Out = K->getAPInt().getSExtValue();
  return true;
}

/// Bounds of the signed value; false when they do not fit 64 bits.
bool lw_scev_signed_range(void *C, const void *S, int64_t *Low, int64_t *High) {
  ConstantRange R = se(C).getSignedRange(scev(S));
  if (R.isEmptySet() || R.getBitWidth() > 64)
    return false;
  *Low = R.getSignedMin().getSExtValue();
  *High = R.getSignedMax().getSExtValue();
  return true;
}

const void *lw_pointer_base(void *C, const void *S) { return computable(se(C).getPointerBase(scev(S))); }
const void *lw_remove_base(void *C, const void *S) { return computable(se(C).removePointerBase(scev(S))); }

// ---- values -------------------------------------------------------------------------------------------------------------------------------

/// An operation on registers: touches no memory, always returns, cannot throw, does nothing but compute its value.
bool lw_is_pure(LLVMValueRef V) {
  auto *I = dyn_cast<Instruction>(unwrap(V));
  if (!I || I->isTerminator() || isa<PHINode>(I) || isa<AllocaInst>(I) || I->isEHPad() || I->getType()->isTokenTy())
    return false;
  if (auto *Call = dyn_cast<CallBase>(I))
    return Call->doesNotAccessMemory() && Call->willReturn() && Call->doesNotThrow() && !Call->isConvergent() && !Call->isInlineAsm() &&
           !Call->hasOperandBundles() && !isa<ConstrainedFPIntrinsic>(Call) && Call->getCalledFunction() &&
           Call->getCalledFunction()->isIntrinsic();
  return !I->mayReadOrWriteMemory() && !I->mayHaveSideEffects();
}

/// Name of the function that a call calls if all it does is to return a value and perhaps to set errno; length 0 otherwise.
size_t lw_errno_function(LLVMValueRef V, char *Out, size_t Capacity) {
  auto *Call = dyn_cast<CallInst>(unwrap(V));
  Function *F = Call ? Call->getCalledFunction() : nullptr;
  if (!F || F->isIntrinsic() || !Call->getMemoryEffects().onlyAccessesErrnoMem() || !Call->willReturn() || !Call->doesNotThrow() || Call->isConvergent() ||
      Call->hasOperandBundles())
    return 0;
  return copyOut(F->getName(), Out, Capacity);
}

/// Is it a call of which LLVM may make one of a vector library (`-fveclib`), which rounds in a way of its own? Not if the program takes any.
bool lw_has_vector_function(void *C, LLVMValueRef V) {
  auto *Call = dyn_cast<CallInst>(unwrap(V));
  if (!Call || !Call->getCalledFunction() || (isa<FPMathOperator>(Call) && Call->hasApproxFunc()))
    return false;
  return static_cast<Context *>(C)->TLI.isFunctionVectorizable(Call->getCalledFunction()->getName()) || !VFDatabase::getMappings(*Call).empty();
}

/// Debug or lifetime-like markers that mean nothing for what is computed.
bool lw_is_marker(LLVMValueRef V) {
  auto *I = dyn_cast<IntrinsicInst>(unwrap(V));
  if (!I)
    return false;
  switch (I->getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
    return true;
  default:
    return isa<DbgInfoIntrinsic>(I);
  }
}

/// The stack slot whose lifetime starts or ends here (or poison); none for anything else.
LLVMValueRef lw_lifetime_of(LLVMValueRef V) {
  auto *I = dyn_cast<IntrinsicInst>(unwrap(V));
  return I && I->isLifetimeStartOrEnd() ? wrap(I->getArgOperand(0)) : nullptr;
}

/// A stack slot that every call of the function makes once, at its start.
bool lw_is_static_slot(LLVMValueRef V) {
  auto *A = dyn_cast<AllocaInst>(unwrap(V));
  return A && A->isStaticAlloca();
}

void lw_mark_lifetime(LLVMBuilderRef B, LLVMValueRef Slot, bool Starts) {
  IRBuilder<> &Builder = *unwrap(B);
  if (Starts)
    Builder.CreateLifetimeStart(unwrap(Slot));
  else
    Builder.CreateLifetimeEnd(unwrap(Slot));
}

/// Neither volatile nor atomic.
bool lw_is_simple_access(LLVMValueRef V) {
  Value *Val = unwrap(V);
  if (auto *L = dyn_cast<LoadInst>(Val))
    return L->isSimple();
  if (auto *S = dyn_cast<StoreInst>(Val))
    return S->isSimple();
  if (auto *M = dyn_cast<MemIntrinsic>(Val))
    return !M->isVolatile();
  return false;
}

bool lw_may_write(LLVMValueRef V) {
  auto *I = dyn_cast<Instruction>(unwrap(V));
  return I && I->mayWriteToMemory();
}

/// 1 memset, 2 memcpy (never overlapping), 0 anything else.
unsigned lw_memory_intrinsic(LLVMValueRef V) {
  auto *I = dyn_cast<IntrinsicInst>(unwrap(V));
  if (!I)
    return 0;
  switch (I->getIntrinsicID()) {
  case Intrinsic::memset: return 1;
  case Intrinsic::memcpy: return 2;
  default: return 0;
  }
}

/// Name of the intrinsic that a call calls, without type suffix ("llvm.sqrt"); length 0 when it is none.
size_t lw_intrinsic_name(LLVMValueRef V, char *Out, size_t Capacity) {
  auto *I = dyn_cast<IntrinsicInst>(unwrap(V));
  return I ? copyOut(Intrinsic::getBaseName(I->getIntrinsicID()), Out, Capacity) : 0;
}

/// Bytes that a value of this type takes in memory when it has no padding; 0 otherwise, and for scalable types.
uint64_t lw_store_bytes(void *C, LLVMTypeRef T) {
  const DataLayout &DL = static_cast<Context *>(C)->F.getDataLayout();
  Type *Ty = unwrap(T);
  if (!Ty->isSized() || Ty->isScalableTy() || !Ty->isSingleValueType())
    return 0;
  uint64_t Bits = DL.getTypeSizeInBits(Ty).getFixedValue();
  return Bits % 8 == 0 && DL.getTypeStoreSize(Ty) == DL.getTypeAllocSize(Ty) ? Bits / 8 : 0;
}

/// 0: the address space is not that of all others.
unsigned lw_pointer_bits(void *C, LLVMTypeRef T) {
  const DataLayout &DL = static_cast<Context *>(C)->F.getDataLayout();
  return unwrap(T)->getPointerAddressSpace() != 0 ? 0 : DL.getIndexTypeSizeInBits(unwrap(T));
}

/// Takes a getelementptr apart; returns the number of variable indices, or -1.
int64_t lw_address_step(void *C, LLVMValueRef P, int64_t *Constant, LLVMValueRef *Values, int64_t *Scales, size_t Capacity) {
  auto *G = dyn_cast<GEPOperator>(unwrap(P));
  if (!G || !G->getType()->isPointerTy())
    return -1;
  const DataLayout &DL = static_cast<Context *>(C)->F.getDataLayout();
  unsigned Bits = DL.getIndexTypeSizeInBits(G->getType());
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Fixed(Bits, 0);
  if (Bits != 64 || !G->collectOffset(DL, Bits, Variable, Fixed) || Variable.size() > Capacity)
    return -1;
  *Constant = Fixed.getSExtValue();
  size_t N = 0;
  for (auto &[V, Scale] : Variable) {
    Values[N] = wrap(V);
    Scales[N++] = Scale.getSExtValue();
  }
  return int64_t(N);
}

/// LLVM 22.1's instruction selection dies on vectors of bfloats of a fixed length of more than 128 bits that SVE is to work on: in `y[i] += a * x[i]`, too,
/// without any plugin. What it does not make vectors of shall compile.
bool lw_has_bfloat_vectors(void *C) {
  Function &F = static_cast<Context *>(C)->F;
  Attribute Scale = F.getFnAttribute(Attribute::VScaleRange);
  return !F.getParent()->getTargetTriple().isAArch64() || !Scale.isValid() || Scale.getVScaleRangeMin() <= 1;
}

/// Can the objects behind two pointers never overlap, whatever the offsets?
bool lw_no_alias(void *C, LLVMValueRef A, LLVMValueRef B) {
  auto &AA = static_cast<Context *>(C)->AA;
  return AA.isNoAlias(MemoryLocation::getBeforeOrAfter(unwrap(A)), MemoryLocation::getBeforeOrAfter(unwrap(B)));
}

/// Do the types of two accesses say that neither touches what the other one does, wherever they are?
bool lw_types_differ(void *C, LLVMValueRef A, LLVMValueRef B) {
  auto &Ctx = *static_cast<Context *>(C);
  auto *I = dyn_cast<Instruction>(unwrap(A)), *J = dyn_cast<Instruction>(unwrap(B));
  if (!I || !J)
    return false;
  AAMDNodes Types[2];
  Types[0].TBAA = I->getAAMetadata().TBAA;
  Types[1].TBAA = J->getAAMetadata().TBAA;
  if (!Types[0].TBAA || !Types[1].TBAA)
    return false;
  Value *Anywhere = PoisonValue::get(PointerType::get(Ctx.F.getContext(), 0));
  TypeBasedAAResult Rules(Ctx.F.hasFnAttribute(Attribute::SanitizeType));
  SimpleAAQueryInfo Query(Ctx.AA);
  return Rules.alias(MemoryLocation::getBeforeOrAfter(Anywhere, Types[0]), MemoryLocation::getBeforeOrAfter(Anywhere, Types[1]), Query, nullptr) ==
         AliasResult::NoAlias;
}

// ---- remarks ------------------------------------------------------------------------------------------------------------------------------

/// Does anybody want to read explanations?
bool lw_explains(void *C) { return static_cast<Context *>(C)->ORE.allowExtraAnalysis("loopwright"); }

/// kind: 0 passed, 1 missed, 2 analysis.
void lw_remark(void *C, unsigned Kind, const char *Name, size_t NameLength, void *L, LLVMBasicBlockRef B, const char *Text, size_t Length) {
  auto &Ctx = *static_cast<Context *>(C);
  BasicBlock *Where = B ? unwrap(B) : L ? loop(L)->getHeader() : &Ctx.F.getEntryBlock();
  DebugLoc Loc = L ? loop(L)->getStartLoc() : DebugLoc();
  if (!Loc)
    for (Instruction &I : *Where)
      if ((Loc = I.getDebugLoc()))
        break;
  StringRef Id(Name, NameLength), Message(Text, Length);
  DiagnosticLocation Place(Loc);
  if (!Loc && Ctx.F.getSubprogram())
    Place = DiagnosticLocation(Ctx.F.getSubprogram());
  switch (Kind) {
  case 0:
    Ctx.ORE.emit([&] { return OptimizationRemark("loopwright", Id, Place, Where) << Message; });
    break;
  case 1:
    Ctx.ORE.emit([&] { return OptimizationRemarkMissed("loopwright", Id, Place, Where) << Message; });
    break;
  default:
    Ctx.ORE.emit([&] { return OptimizationRemarkAnalysis("loopwright", Id, Place, Where) << Message; });
  }
}

} // extern "C"
